import type { Media } from '../domain/catalog.ts';
import { shortName } from '../domain/links.ts';
import type { OfferPage, PageSite, ProductPage } from '../publish/site.ts';
import { safeUrl } from './format.ts';
import { breadcrumbData, productData } from './structured-data.ts';

const TITLE_LENGTH = 70;

/** Title, description, picture and structured data of an offer's page. */
export function offerHead({ offer, product, stores }: OfferPage, site: PageSite) {
  const { info, links } = site;
  const url = links.offer(offer.id);
  const description = offer.enrichedCopy ?? offer.description ?? offer.title;
  const trail = [
    { name: info.name, url: links.to('/') },
    { name: offer.title, url },
  ];
  const data = productData({
    name: offer.title,
    url,
    description,
    brand: product?.brand ?? null,
    media: offer.media.length > 0 ? offer.media : (product?.media ?? []),
    price: offer.price,
    inStock: product?.inStock ?? true,
    validUntil: offer.validUntil,
    merchant: offer.merchant,
    stores,
  });
  return {
    title: pageTitle(offer.title, offer.merchant?.name ?? null, info.name),
    description,
    path: `/offers/${offer.id}`,
    twin: links.to(`/offers/${offer.id}.md`),
    image: firstImage(offer.media, product?.media ?? []),
    data: [...data, breadcrumbData(trail)],
  };
}

/** Title, description, picture and structured data of a product's page. */
export function productHead({ product, stores }: ProductPage, site: PageSite) {
  const { info, links } = site;
  const url = links.product(product.id);
  const description = product.description ?? `${product.name}, em ${product.merchant.name}.`;
  const trail = [
    { name: info.name, url: links.to('/') },
    { name: product.name, url },
  ];
  const data = productData({ ...product, url, description, validUntil: null, stores });
  return {
    title: pageTitle(product.name, product.merchant.name, info.name),
    description,
    path: `/products/${product.id}`,
    twin: links.to(`/products/${product.id}.md`),
    image: firstImage(product.media, []),
    data: [...data, breadcrumbData(trail)],
  };
}

/** As much of name, merchant and service as search engines show of a title: 70 characters. */
function pageTitle(name: string, merchant: string | null, service: string): string {
  const full = [merchant === null ? name : `${name} – ${merchant}`, service].join(' | ');
  if (full.length <= TITLE_LENGTH) return full;
  return shortName(`${name} | ${service}`, TITLE_LENGTH);
}

function firstImage(own: Media[], other: Media[]): string | null {
  const image = [...own, ...other].find(({ type }) => type === 'image');
  return image === undefined ? null : safeUrl(image.url);
}
