import type { Named } from '../domain/catalog.ts';
import {
  CATEGORIES_PATH,
  CITIES_PATH,
  categoryPath,
  MERCHANTS_PATH,
  merchantPath,
  OFFERS_PATH,
  placePath,
} from '../domain/lists.ts';
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

/** Names and paths of the top-level lists. */
const TOP = {
  offers: ['Ofertas', OFFERS_PATH],
  merchants: ['Lojas', MERCHANTS_PATH],
  categories: ['Categorias', CATEGORIES_PATH],
  cities: ['Cidades', CITIES_PATH],
} as const;

function topStep({ links }: PageSite, kind: keyof typeof TOP): Step {
  const [name, path] = TOP[kind];
  return { name, url: links.to(path) };
}

/** Returns the trail of a list; its last step is the list's first page. */
export function listTrail(head: ListHead, site: PageSite): Step[] {
  switch (head.kind) {
    case 'offers':
    case 'merchants':
    case 'categories':
    case 'cities':
      return [home(site), topStep(site, head.kind)];
    case 'category':
      return [home(site), ...[...head.trail, head.category].map((one) => categoryStep(site, one))];
    case 'place':
      return [home(site), ...placeSteps(site, head.city, head.district)];
    case 'merchant': {
      const { place, merchant } = head;
      const above =
        place === null
          ? [topStep(site, 'merchants')]
          : placeSteps(site, place.city, place.district);
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
