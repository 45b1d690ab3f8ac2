import { escapeMarkdown } from '../domain/escape.ts';
import { type Links, mapUrl, markdownLink, shortName } from '../domain/links.ts';
import { formatPrice, offerPrice, offerPriceLine, priced, productPrice } from '../domain/price.ts';
import type { OfferCard, OfferPage, PageSite, ProductPage } from '../publish/site.ts';
import { describeValidity } from './format.ts';

/** Renders an offer's page as markdown, with the same facts. */
export function offerMarkdown(page: OfferPage, site: PageSite): string {
  const { offer, related } = page;
  const { links, info } = site;
  const merchant = offer.merchant?.name ?? null;
  const { headline, detail, usual } = offerPrice(priced(offer));
  const normal = usual === null ? '' : ` (preço normal ${usual})`;
  return join([
    `# ${escapeMarkdown(offer.title)}`,
    list([
      ...(headline === null ? [] : [`Preço: ${[headline, detail].filter(Boolean).join(', ')}`]),
      merchant === null ? 'Vale em todas as lojas' : `Lojista: ${escapeMarkdown(merchant)}`,
      ...(offer.id < 0 ? ['Forma de pagamento'] : []),
      ...(offer.aiCategory === null ? [] : [`Categoria: ${escapeMarkdown(offer.aiCategory)}`]),
      `Validade: ${validityText(offer)}`,
      ...(offer.product === null
        ? []
        : [
            `Produto: ${markdownLink(offer.product.name, links.product(offer.product.id))}${normal}`,
          ]),
    ]),
    paragraphs(offer.enrichedCopy),
    paragraphs(offer.description),
    ...storeSection(page),
    ...cardSection(
      merchant === null
        ? 'Outras formas de pagamento'
        : `Mais ofertas de ${escapeMarkdown(merchant)}`,
      related.map((card) => offerItem(card, links)),
    ),
    sourceLine(offer.title, links.offer(offer.id), info.name),
  ]);
}

/** Renders a product's page as markdown. */
export function productMarkdown(page: ProductPage, site: PageSite): string {
  const { product, offers, related } = page;
  const { links, info } = site;
  const fact = (name: string, value: string | null | undefined) =>
    value ? [`${name}: ${escapeMarkdown(value)}`] : [];
  return join([
    `# ${escapeMarkdown(product.name)}`,
    list([
      `Preço: ${productPriceText(product)}`,
      product.inStock ? 'Disponível' : 'Esgotado no momento',
      ...fact('Lojista', product.merchant.name),
      ...fact('Marca', product.brand),
      ...fact('Categoria', product.category?.name),
    ]),
    paragraphs(product.description),
    ...cardSection(
      'Ofertas deste produto',
      offers.map((card) => offerItem(card, links)),
    ),
    ...storeSection(page),
    ...cardSection(
      `Mais de ${escapeMarkdown(product.merchant.name)}`,
      related.map(({ id, title, price }) =>
        cardItem(title, links.product(id), price === null ? null : formatPrice(price)),
      ),
    ),
    sourceLine(product.name, links.product(product.id), info.name),
  ]);
}

function productPriceText({ price, listPrice }: ProductPage['product']): string {
  const { now, before, percent } = productPrice(price, listPrice);
  return before === null ? now : `${now} (antes ${before}, ${percent}% a menos)`;
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

function cardSection(title: string, items: string[]): string[] {
  return items.length === 0 ? [] : [`## ${title}`, list(items)];
}

function offerItem(card: OfferCard, links: Links): string {
  return cardItem(card.title, links.offer(card.id), offerPriceLine(card));
}

function cardItem(title: string, url: string, price: string | null): string {
  const link = markdownLink(shortName(title), url);
  return price === null ? link : `${link}: ${price}`;
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
