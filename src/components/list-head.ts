import { cleanLine } from '../domain/escape.ts';
import { listPagePath, storePath } from '../domain/lists.ts';
import type { ListHead, ListPage, PageSite } from '../publish/site.ts';
import { formatCount } from './format.ts';
import { breadcrumbData, merchantGraph } from './structured-data.ts';
import { listTrail } from './trail.ts';

/** Returns the name of a list. */
export function listName(head: ListHead): string {
  switch (head.kind) {
    case 'offers':
      return 'Ofertas';
    case 'merchants':
      return 'Lojas e restaurantes';
    case 'categories':
      return 'Categorias';
    case 'cities':
      return 'Cidades';
    case 'merchant':
      return cleanLine(head.merchant.name);
    case 'category':
      return cleanLine(head.category.name);
    case 'place':
      return `Lojas em ${placeName(head)}`;
  }
}

/** Returns the name of a city or district for titles. */
export function placeName({ city, state, district }: ListHead & { kind: 'place' }): string {
  const parts = district === null ? [city, state] : [district, city];
  return parts.flatMap((part) => (part === null ? [] : [cleanLine(part)])).join(', ');
}

/** Returns title, description and structured data of a list page. */
export function listHead(page: ListPage, site: PageSite) {
  const { info, links } = site;
  const { head, page: number } = page;
  const trail = listTrail(head, site);
  const path = listPagePath(page.path, number);
  const behind = number === 1 ? '' : `, página ${number}`;
  return {
    title: `${listName(head)}${behind} | ${info.name}`,
    description: `${describe(page, info.name)}${number === 1 ? '' : ` Página ${number}.`}`,
    path,
    feed: head.kind === 'offers',
    graph: [
      ...ownGraph(page, site),
      breadcrumbData(trail),
      itemListData(page, site, links.to(path)),
    ],
  };
}

/** Returns the nodes of the list's merchant, on its first page only. */
function ownGraph({ head, lead }: ListPage, { links }: PageSite): object[] {
  if (head.kind !== 'merchant' || lead === null) return [];
  return merchantGraph(head.merchant, lead.stores ?? [], links);
}

function describe({ head, total }: ListPage, service: string): string {
  const count = (one: string, many: string) =>
    total === null ? many : `${formatCount(total)} ${total === 1 ? one : many}`;
  switch (head.kind) {
    case 'offers':
      return `${count('oferta', 'ofertas')} das lojas e dos restaurantes da ${service}, com preço, validade e endereço.`;
    case 'merchants':
      return `${count('lojista', 'lojistas')} da ${service} em ordem alfabética: lojas e restaurantes com ofertas, produtos e endereços.`;
    case 'categories':
      return `${count('categoria', 'categorias')} de produtos das lojas e dos restaurantes da ${service}, em ordem alfabética.`;
    case 'cities':
      return `${count('cidade', 'cidades')} com lojas e restaurantes na ${service}, em ordem alfabética: bairros, endereços e ofertas.`;
    case 'merchant': {
      const where =
        head.place === null
          ? ''
          : ` em ${cleanLine(head.place.district)}, ${cleanLine(head.place.city)}`;
      return `Ofertas, produtos e endereços de ${cleanLine(head.merchant.name)}${where}: preços, mapa e o que há na loja.`;
    }
    case 'category':
      return `${cleanLine(head.category.name)} nas lojas do bairro: produtos com preço, loja e endereço na ${service}.`;
    case 'place':
      return `${count('loja', 'lojas')} em ${placeName(head)}, com endereço, mapa, produtos e ofertas na ${service}.`;
  }
}

/** Returns the schema.org ItemList of a page. */
function itemListData(page: ListPage, { links }: PageSite, url: string): object {
  const items = [
    ...page.offers.map(({ card }) => ({ url: links.offer(card.id), name: card.title })),
    ...page.products.map(({ card }) => ({ url: links.product(card.id), name: card.title })),
    ...page.stores.map(({ store, merchant }) => {
      return { url: links.to(storePath(merchant.id, store.id)), name: store.name };
    }),
    ...(page.names ?? []).map(({ name, path }) => ({ url: links.to(path), name })),
  ];
  return {
    '@type': 'ItemList',
    url,
    name: listName(page.head),
    itemListElement: items.map(({ url: item, name }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      url: item,
      name: cleanLine(name),
    })),
  };
}
