import type { Media } from '../domain/catalog.ts';
import { shortName } from '../domain/links.ts';
import { formatPrice, offerPrice, offerPriceLine, priced } from '../domain/price.ts';
import type { OfferPage, PageSite, ProductPage, ShownStore } from '../publish/site.ts';
import { whereOf } from './cards.ts';
import { describeEnd, safeUrl } from './format.ts';
import { breadcrumbData, recordGraph } from './structured-data.ts';
import { offerTrail, productTrail } from './trail.ts';

const TITLE_LENGTH = 70;
/** Characters of a description that search engines show, and the least that they accept. */
const DESCRIPTION_LENGTH = 165;
const SHORT_DESCRIPTION = 70;

/** Returns title, description, picture and structured data of an offer's page. */
export function offerHead(page: OfferPage, site: PageSite) {
  const { offer, product, stores } = page;
  const { info, links } = site;
  const url = links.offer(offer.id);
  const media = offer.media.length > 0 ? offer.media : (product?.media ?? []);
  const facts = [
    offerPriceLine(priced(offer)),
    placeOf(offer.merchant?.name, stores),
    offer.validUntil === null ? null : `vale até ${describeEnd(offer.validUntil)}`,
  ];
  const description = describe(offer.title, facts, offer.description ?? offer.enrichedCopy, site);
  const graph = recordGraph(
    {
      ...offer,
      ...{ name: offer.title, url, description, media, stores },
      quantity: offerPrice(priced(offer)).quantity,
      brand: product?.brand ?? null,
      category: offer.aiCategory ?? product?.category?.name ?? null,
      inStock: product?.inStock ?? true,
    },
    links,
  );
  const trail = [...offerTrail(page, site), { name: offer.title, url }];
  return {
    title: pageTitle(offer.title, offer.merchant?.name ?? null, info.name),
    description,
    path: `/offers/${offer.id}`,
    twin: links.to(`/offers/${offer.id}.md`),
    image: pictureOf(media, offer.title),
    graph: [...graph, breadcrumbData(trail)],
  };
}

/** Returns title, description, picture and structured data of a product's page. */
export function productHead(page: ProductPage, site: PageSite) {
  const { product, stores } = page;
  const { info, links } = site;
  const url = links.product(product.id);
  const facts = [
    product.price === null ? null : formatPrice(product.price),
    placeOf(product.merchant.name, stores),
    product.inStock ? null : 'esgotado no momento',
  ];
  const description = describe(product.name, facts, product.description, site);
  const category = product.category?.name ?? null;
  const none = { quantity: 1, validFrom: null, validUntil: null };
  const graph = recordGraph({ ...product, ...none, url, description, category, stores }, links);
  const trail = [...productTrail(page, site), { name: product.name, url }];
  return {
    title: pageTitle(product.name, product.merchant.name, info.name),
    description,
    path: `/products/${product.id}`,
    twin: links.to(`/products/${product.id}.md`),
    image: pictureOf(product.media, product.name),
    graph: [...graph, breadcrumbData(trail)],
  };
}

/** Returns merchant, district and city: "Aurora · Pinheiros, São Paulo". */
function placeOf(merchant: string | undefined, [store]: ShownStore[]): string | null {
  const where = whereOf(merchant, store);
  return store === undefined ? where : [where, store.city].filter(Boolean).join(', ');
}

/** Makes a description with the key facts first, padded to SHORT_DESCRIPTION. */
function describe(
  name: string,
  facts: (string | null)[],
  text: string | null,
  { info }: PageSite,
): string {
  const known = facts.filter((fact) => fact !== null).join(' · ');
  const words = [`${shortName(name, 80)}: ${known || info.name}.`, text ?? ''].join(' ');
  const line = shortName(words, DESCRIPTION_LENGTH);
  if (line.length >= SHORT_DESCRIPTION) return line;
  return `${line} Preço, endereço e ofertas das lojas do seu bairro na ${info.name}.`;
}

/** Makes a title of name, merchant and service; drops the merchant and cuts the rest to fit TITLE_LENGTH. */
function pageTitle(name: string, merchant: string | null, service: string): string {
  const full = [merchant === null ? name : `${name} – ${merchant}`, service].join(' | ');
  if (full.length <= TITLE_LENGTH) return full;
  return shortName(`${name} | ${service}`, TITLE_LENGTH);
}

/** Returns the first picture fit for link previews, which do not support SVG. */
function pictureOf(media: Media[], name: string): { url: string; alt: string } | null {
  for (const { type, url, alt_text } of media) {
    const address = type === 'image' ? safeUrl(url) : null;
    if (address !== null && !/\.svg(?:[?#]|$)/i.test(address)) {
      return { url: address, alt: shortName(alt_text || name, 200) };
    }
  }
  return null;
}
