import type { Money } from '../domain/catalog.ts';
import { escapeMarkdown } from '../domain/escape.ts';
import { mapUrl, markdownLink, shortName } from '../domain/links.ts';
import type { Card, OfferPage, PageSite, ProductPage } from '../publish/site.ts';
import { describeValidity, discountPercent, formatPrice } from './format.ts';

/** The page of an offer as markdown: the same facts, for agents and other readers of text. */
export function offerMarkdown(page: OfferPage, site: PageSite): string {
  const { offer, product, related } = page;
  const { links, info } = site;
  const merchant = offer.merchant?.name ?? null;
  const { price } = offer;
  return join([
    `# ${escapeMarkdown(offer.title)}`,
    list([
      ...(price === null ? [] : [`Preço: ${priceText(price, product?.price ?? null)}`]),
      merchant === null ? 'Válida em todas as lojas' : `Lojista: ${escapeMarkdown(merchant)}`,
      ...(offer.id < 0 ? ['Forma de pagamento'] : []),
      ...(offer.aiCategory === null ? [] : [`Categoria: ${escapeMarkdown(offer.aiCategory)}`]),
      `Validade: ${validityText(offer)}`,
      ...(offer.product === null
        ? []
        : [`Produto: ${markdownLink(offer.product.name, links.product(offer.product.id))}`]),
    ]),
    paragraphs(offer.enrichedCopy),
    paragraphs(offer.description),
    ...storeSection(page),
    ...cardSection(
      merchant === null
        ? 'Outras formas de pagamento'
        : `Mais ofertas de ${escapeMarkdown(merchant)}`,
      related,
      links.offer,
    ),
    sourceLine(offer.title, links.offer(offer.id), info.name),
  ]);
}

/** The page of a product as markdown. */
export function productMarkdown(page: ProductPage, site: PageSite): string {
  const { product, offers, related } = page;
  const { links, info } = site;
  const fact = (name: string, value: string | null | undefined) =>
    value ? [`${name}: ${escapeMarkdown(value)}`] : [];
  return join([
    `# ${escapeMarkdown(product.name)}`,
    list([
      `Preço: ${priceText(product.price, product.listPrice)}`,
      product.inStock ? 'Disponível' : 'Em falta no momento',
      ...fact('Lojista', product.merchant.name),
      ...fact('Marca', product.brand),
      ...fact('Categoria', product.category?.name),
    ]),
    paragraphs(product.description),
    ...cardSection('Ofertas deste produto', offers, links.offer),
    ...storeSection(page),
    ...cardSection(`Mais de ${escapeMarkdown(product.merchant.name)}`, related, links.product),
    sourceLine(product.name, links.product(product.id), info.name),
  ]);
}

function priceText(price: Money | null, before: Money | null): string {
  const discount = discountPercent(price, before);
  const words = formatPrice(price);
  return discount === null
    ? words
    : `${words} (antes ${formatPrice(before)}, ${discount}% a menos)`;
}

function validityText({ validFrom, validUntil }: OfferPage['offer']): string {
  return describeValidity(validFrom, validUntil)
    .map(({ text }) => text)
    .join('');
}

function paragraphs(text: string | null): string {
  return (text ?? '')
    .split(/\n+/)
    .map(escapeMarkdown)
    .filter((line) => line !== '')
    .join('\n\n');
}

function storeSection({ stores, moreStores }: OfferPage | ProductPage): string[] {
  if (stores.length === 0) return [];
  const items = stores.map((store) => {
    const { name, address, district, city, state } = store;
    const place = [address, district, city, state].flatMap((part) =>
      part === null ? [] : [escapeMarkdown(part)],
    );
    const map = mapUrl(store);
    const link = map === null ? '' : ` (${markdownLink('mapa', map)})`;
    return `${escapeMarkdown(name)}: ${place.join(', ')}${link}`;
  });
  if (moreStores > 0) items.push(`mais ${moreStores}`);
  return ['## Onde encontrar', list(items)];
}

function cardSection(title: string, cards: Card[], urlOf: (id: number) => string): string[] {
  if (cards.length === 0) return [];
  const items = cards.map(({ id, title: name, price }) => {
    const link = markdownLink(shortName(name), urlOf(id));
    return price === null ? link : `${link}: ${formatPrice(price)}`;
  });
  return [`## ${title}`, list(items)];
}

function sourceLine(name: string, url: string, service: string): string {
  return `Fonte: ${escapeMarkdown(service)}, ${markdownLink(shortName(name), url)}. Ao citar, inclua o link.`;
}

function list(items: string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

function join(parts: string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
