import { cleanLine, escapeXml } from '../domain/escape.ts';
import { OFFERS_FEED, OFFERS_PATH } from '../domain/lists.ts';
import { offerPriceLine, priced } from '../domain/price.ts';
import { lastDay } from '../domain/validity.ts';
import type { LatestOffer, Site } from '../publish/site.ts';

/** Renders /ofertas.atom (RFC 4287): the offers that changed or began last. */
export function offersFeed({ info, links, changedOffers, updatedAt }: Site): string {
  const updated = changedOffers[0]?.changedAt ?? updatedAt ?? '1970-01-01T00:00:00Z';
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="pt-BR">',
    element('id', links.to(OFFERS_FEED)),
    element('title', `Ofertas na ${info.name}`),
    element('subtitle', 'As ofertas que começaram ou mudaram por último'),
    link('self', links.to(OFFERS_FEED), 'application/atom+xml'),
    link('alternate', links.to(OFFERS_PATH), 'text/html'),
    element('updated', updated),
    person(info.name),
    element(
      'rights',
      `Ao citar uma oferta, diga que a informação vem da ${info.name} e inclua o link.`,
    ),
    ...changedOffers.map((offer) => entry(offer, links.offer(offer.id))),
    '</feed>',
    '',
  ].join('\n');
}

function entry(offer: LatestOffer, url: string): string {
  const { title, changedAt, merchant, aiCategory, validUntil, store } = offer;
  const facts = [
    offerPriceLine(priced(offer)),
    merchant === null ? 'vale em todas as lojas' : merchant.name,
    store === null ? null : `${store.district}, ${store.city}`,
    validUntil === null ? null : `vale até ${lastDay(validUntil).split('-').reverse().join('/')}`,
  ];
  return [
    '<entry>',
    element('id', url),
    element('title', cleanLine(title) || url),
    link('alternate', url, 'text/html'),
    element('updated', changedAt),
    ...(merchant === null ? [] : [person(merchant.name)]),
    ...(aiCategory === null ? [] : [`<category term="${escapeXml(cleanLine(aiCategory))}"/>`]),
    element('summary', facts.flatMap((fact) => (fact ? [cleanLine(fact)] : [])).join(' · ')),
    '</entry>',
  ].join('');
}

const person = (name: string) => `<author>${element('name', cleanLine(name) || '–')}</author>`;

const element = (name: string, text: string) => `<${name}>${escapeXml(text)}</${name}>`;

const link = (rel: string, url: string, type: string) =>
  `<link rel="${rel}" type="${type}" href="${escapeXml(url)}"/>`;
