import type { OfferPage, PageSite, ProductPage } from '../publish/site.ts';
import type { Step } from './structured-data.ts';

/** The pages above that of an offer, from the home page on. */
export function offerTrail(_page: OfferPage, { links }: PageSite): Step[] {
  return [{ name: 'Início', url: links.to('/') }];
}

/** The pages above that of a product. */
export function productTrail(_page: ProductPage, { links }: PageSite): Step[] {
  return [{ name: 'Início', url: links.to('/') }];
}
