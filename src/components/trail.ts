import type { Named } from '../domain/catalog.ts';
import { categoryPath, merchantPath, OFFERS_PATH, placePath } from '../domain/lists.ts';
import type { ListHead, OfferPage, PageSite, ProductPage } from '../publish/site.ts';
import type { Step } from './structured-data.ts';

const home = ({ links }: PageSite): Step => ({ name: 'Início', url: links.to('/') });

function merchantStep({ links }: PageSite, { id, name }: Named): Step {
  return { name, url: links.to(merchantPath(id)) };
}

function categoryStep({ links }: PageSite, { id, name }: Named): Step {
  return { name, url: links.to(categoryPath(id)) };
}

function placeSteps({ links }: PageSite, city: string, district: string | null): Step[] {
  const step = (name: string, path: string) => ({ name, url: links.to(path) });
  const inCity = step(city, placePath(city));
  return district === null ? [inCity] : [inCity, step(district, placePath(city, district))];
}

/** Returns the trail of a list; its last step is the list's first page. */
export function listTrail(head: ListHead, site: PageSite): Step[] {
  switch (head.kind) {
    case 'offers':
      return [home(site), { name: 'Ofertas', url: site.links.to(OFFERS_PATH) }];
    case 'category':
      return [home(site), ...[...head.trail, head.category].map((one) => categoryStep(site, one))];
    case 'place':
      return [home(site), ...placeSteps(site, head.city, head.district)];
    case 'merchant': {
      const { place, merchant } = head;
      const above = place === null ? [] : placeSteps(site, place.city, place.district);
      return [home(site), ...above, merchantStep(site, merchant)];
    }
  }
}

/** Returns the pages above an offer's: all offers, and its merchant. */
export function offerTrail({ offer: { merchant } }: OfferPage, site: PageSite): Step[] {
  const seller = merchant === null ? [] : [merchantStep(site, merchant)];
  return [...listTrail({ kind: 'offers' }, site), ...seller];
}

/** Returns the pages above a product's: its category, and its merchant. */
export function productTrail({ product }: ProductPage, site: PageSite): Step[] {
  const { category, merchant } = product;
  const above = category === null ? [] : [categoryStep(site, category)];
  return [home(site), ...above, merchantStep(site, merchant)];
}
