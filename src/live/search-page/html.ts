import type { Hit, Media, Named, Offer, Product } from '../../domain/catalog.ts';
import { cleanLine, escapeXml } from '../../domain/escape.ts';
import { illustrationOf } from '../../domain/illustrations.ts';
import { type Links, shortName } from '../../domain/links.ts';
import { formatPrice, offerPriceLine, priced } from '../../domain/price.ts';
import type { PageMessage } from './messages.ts';
import { PAGE_SORTS, type PageQuery, type PageSort, searchPath } from './query.ts';

/** The content of a card, rendered as by Cards.astro. */
type Card = {
  url: string;
  title: string;
  price: string | null;
  where: string;
  media: Media[];
  about: (string | null)[];
};

/** Returns the card of a product found. */
export function productCard({ record, nearestStore }: Hit<Product>, links: Links): Card {
  const { id, name, price, merchant, media, category } = record;
  return {
    url: links.product(id),
    title: name,
    price: price === null ? null : formatPrice(price),
    where: whereOf(merchant, nearestStore),
    media,
    about: [category?.name ?? null, name, merchant.name],
  };
}

/** Returns the card of an offer found. */
export function offerCard({ record, nearestStore }: Hit<Offer>, links: Links): Card {
  const { id, title, merchant, media } = record;
  return {
    url: links.offer(id),
    title,
    price: offerPriceLine(priced(record)),
    where: whereOf(merchant, nearestStore),
    media,
    about: id < 0 ? ['pagamento'] : [record.aiCategory, title],
  };
}

function whereOf(merchant: Named | null, store: { district: string } | null): string {
  return [merchant?.name, store?.district].flatMap((part) => part ?? []).join(' · ');
}

/** Renders a section of cards; empty without any. */
export function cardSection(title: string, cards: Card[]): string {
  if (cards.length === 0) return '';
  return `<section><h2>${escapeXml(title)}</h2><ul class="cards">${cards.map(cardHtml).join('')}</ul></section>`;
}

function cardHtml({ url, title, price, where, media, about }: Card): string {
  const picture = media.find(({ type, url: src }) => type === 'image' && /^https?:/i.test(src));
  const image =
    picture === undefined
      ? ''
      : `<img src="${escapeXml(picture.url)}" alt="" width="800" height="600" loading="lazy" decoding="async">`;
  const amount = price === null ? '' : `<p class="amount">${escapeXml(price)}</p>`;
  return (
    `<li><span class="pic" style="--art:url(${illustrationOf(about)})">${image}</span><div>` +
    `<h3><a href="${escapeXml(url)}">${escapeXml(shortName(title))}</a></h3>` +
    `${amount}<p class="soft">${escapeXml(cleanLine(where))}</p></div></li>`
  );
}

/** Renders a list of plain links; empty without any. */
export function chips(
  label: string,
  links: { url: string; text: string; current?: boolean }[],
): string {
  if (links.length === 0) return '';
  const items = links.map(
    ({ url, text, current }) =>
      `<li><a href="${escapeXml(url)}"${current === true ? ' aria-current="true"' : ''}>${escapeXml(shortName(text, 60))}</a></li>`,
  );
  return `<ul class="chips" aria-label="${escapeXml(label)}">${items.join('')}</ul>`;
}

/** Renders messages with links to the searches that they suggest. */
export function messageList(messages: PageMessage[], query: PageQuery): string {
  if (messages.length === 0) return '';
  const items = messages.map(({ text, link }) => {
    if (link === undefined) return `<li>${escapeXml(text)}</li>`;
    const url = searchPath({ ...query, ...link.query });
    return `<li>${escapeXml(text)} <a href="${escapeXml(url)}">${escapeXml(shortName(link.label, 60))}</a></li>`;
  });
  return `<ul class="notes">${items.join('')}</ul>`;
}

/** Renders the filter fields, and the sort orders as plain links. */
export function filters(query: PageQuery, defaultCity: string): string {
  const field = (name: string, label: string, value: string, more = '') =>
    `<label>${label} <input name="${name}" value="${escapeXml(value)}" ${more}></label>`;
  const number = (value: number | null) => (value === null ? '' : String(value).replace('.', ','));
  const sorts = (Object.keys(PAGE_SORTS) as PageSort[]).map((sort) => ({
    url: searchPath({ ...query, sort }),
    text: PAGE_SORTS[sort][0],
    current: sort === query.sort,
  }));
  const money = 'inputmode="decimal" size="7" placeholder="R$"';
  return (
    '<form class="filters" action="/buscar" method="get">' +
    `<input type="hidden" name="q" value="${escapeXml(query.words)}">` +
    (query.sort === '' ? '' : `<input type="hidden" name="ordem" value="${query.sort}">`) +
    field('cidade', 'Cidade', query.city, `size="14" placeholder="${escapeXml(defaultCity)}"`) +
    field('bairro', 'Bairro', query.district, 'size="14"') +
    field('min', 'Preço de', number(query.minPrice), money) +
    field('max', 'Preço até', number(query.maxPrice), money) +
    `<button type="submit">Filtrar</button></form>${chips('Ordem', sorts)}`
  );
}
