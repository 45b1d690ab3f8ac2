import type { Hit, Named, Offer, Product } from '../../domain/catalog.ts';
import { escapeXml } from '../../domain/escape.ts';
import { merchantPath, OFFERS_PATH } from '../../domain/lists.ts';
import { SEARCH_SHELL } from '../../domain/resources.ts';
import { PAGE_HEADERS } from '../../domain/surface.ts';
import {
  type Call,
  CORS_HEADERS,
  faultReply,
  methodNotAllowed,
  type Reply,
} from '../../http/call.ts';
import type { SearchArguments } from '../../search/arguments.ts';
import { runSearch } from '../../search/search.ts';
import type { FaultTeller, Live, LiveHandler } from '../live.ts';
import { cardSection, chips, filters, messageList, offerCard, productCard } from './html.ts';
import { pageMessages } from './messages.ts';
import { PAGE_SORTS, type PageQuery, readPageQuery, searchPath } from './query.ts';

/** Placeholders for query and results in the published shell of the page. */
export const SHELL_QUERY = '__QUERY__';
export const SHELL_RESULTS = '__RESULTS__';

const PRODUCTS = 16;
const OFFERS = 8;
const STORES = 8;
/** Categories suggested if nothing was found. */
const CATEGORIES = 12;

/**
 * Answers GET /buscar?q=…, the search page, which works without JavaScript. It runs the same search as the MCP tools,
 * for products and offers together, with its own quota.
 */
export const searchPageHandler: LiveHandler = async (call, live) => {
  if (call.method !== 'GET' && call.method !== 'HEAD') return methodNotAllowed('GET, HEAD');
  const shell = await live.published.text(SEARCH_SHELL);
  if (shell === null) return faultReply('NOT_FOUND');
  const query = readPageQuery(call.query());
  const results = isEmpty(query) ? await waysOn(query, live) : await findResults(query, call, live);
  return page(shell, query.words, results, 200, {});
};

/** Renders a fault as a page: 429 over the quota, 503 for an internal error. */
export const searchFaultPage: FaultTeller = async (fault, call, live) => {
  const shell = await live.published.text(SEARCH_SHELL);
  if (shell === null) return null;
  const query = readPageQuery(call.query());
  const { retryAfterSeconds = 1 } = fault;
  const wait = retryAfterSeconds === 1 ? '1 segundo' : `${retryAfterSeconds} segundos`;
  const isOurs = fault.status >= 500;
  const reason = isOurs ? 'Não deu para buscar agora.' : 'Foram muitas buscas em pouco tempo.';
  const ways = chips('Caminhos', [
    { url: searchPath(query), text: 'Tentar de novo' },
    { url: OFFERS_PATH, text: 'Ver as ofertas' },
    { url: '/', text: 'Categorias, cidades e bairros' },
  ]);
  const told = `<p>${reason} Tente de novo em ${wait}.</p>${ways}`;
  const headers = { 'retry-after': String(retryAfterSeconds) };
  return page(shell, query.words, told, isOurs ? 503 : fault.status, headers);
};

const isEmpty = ({ words, city, district, minPrice, maxPrice }: PageQuery) =>
  words + city + district === '' && minPrice === null && maxPrice === null;

async function findResults(query: PageQuery, call: Call, live: Live): Promise<string> {
  await live.quotas.consume('search-pages', call.client);
  const args = argumentsOf(query);
  const [products, offers, merchants] = await Promise.all([
    runSearch(
      { ...args, sort: PAGE_SORTS[query.sort][1], limit: PRODUCTS },
      { live, recordsLeft: PRODUCTS },
      { kind: 'products', find: live.catalog.searchProducts },
    ),
    runSearch(
      { ...args, limit: OFFERS },
      { live, recordsLeft: OFFERS },
      { kind: 'offers', find: live.catalog.searchOffers },
    ),
    findMerchants(query, live),
  ]);
  // Category fallbacks are shown only if nothing matches the query itself.
  const isSure = (hit: Hit<unknown>) => hit.match !== 'category_fallback';
  const sure = products.hits.some(isSure) || offers.hits.some(isSure);
  const shown = <T>(hits: Hit<T>[]) => (sure ? hits.filter(isSure) : hits);
  const messages = pageMessages([
    ...products.messages,
    ...(products.hits.length === 0 ? offers.messages : []),
  ]);
  const found = { offers: shown(offers.hits), products: shown(products.hits) };
  const some = found.offers.length + found.products.length + merchants.length > 0;
  return [
    filters(query, live.info.defaultCity),
    messageList(messages, query),
    cardSection(
      'Ofertas',
      found.offers.map((hit) => offerCard(hit, live.links)),
    ),
    cardSection(
      'Produtos',
      found.products.map((hit) => productCard(hit, live.links)),
    ),
    storeSection(merchants, [...found.offers, ...found.products]),
    some ? '' : await nothingFound(query, live),
  ].join('');
}

function argumentsOf({ words, city, district, minPrice, maxPrice }: PageQuery): SearchArguments {
  return {
    ...(words === '' ? {} : { query: words }),
    ...(city === '' ? {} : { city }),
    ...(district === '' ? {} : { district }),
    ...(minPrice === null ? {} : { min_price: minPrice }),
    ...(maxPrice === null ? {} : { max_price: maxPrice }),
  };
}

async function findMerchants({ words }: PageQuery, live: Live): Promise<Named[]> {
  if (words === '') return [];
  const found = await live.catalog.findMerchants(words);
  return 'merchants' in found ? found.merchants.slice(0, STORES) : [];
}

/** Renders merchants with that name and those of the hits, each once, with the district of the nearest store. */
function storeSection(merchants: Named[], hits: Hit<Product | Offer>[]): string {
  const found = new Map(merchants.map(({ id, name }) => [id, name]));
  for (const { record, nearestStore } of hits) {
    const { merchant } = record;
    if (merchant === null || found.has(merchant.id)) continue;
    found.set(merchant.id, [merchant.name, nearestStore?.district].filter(Boolean).join(', '));
  }
  const links = [...found].slice(0, STORES).map(([id, text]) => ({ url: merchantPath(id), text }));
  return links.length === 0 ? '' : `<section><h2>Lojas</h2>${chips('Lojas', links)}</section>`;
}

async function nothingFound(query: PageQuery, live: Live): Promise<string> {
  const place = [query.district, query.city || live.info.defaultCity].filter(Boolean).join(', ');
  const narrowed = query.district !== '' || query.minPrice !== null || query.maxPrice !== null;
  const wider = { ...query, district: '', minPrice: null, maxPrice: null };
  const links = narrowed ? [{ url: searchPath(wider), text: 'Buscar sem bairro e sem preço' }] : [];
  const words = query.words === '' ? '' : ` para <strong>${escapeXml(query.words)}</strong>`;
  return `<p>Não achamos nada em ${escapeXml(place)}${words}.</p>${chips('Ampliar a busca', links)}${await waysOn(query, live)}`;
}

/** Renders links to categories. */
async function waysOn(query: PageQuery, live: Live): Promise<string> {
  const { updatedAt } = await live.catalog.state();
  const { categories } = await live.catalog.directory(updatedAt);
  const links = categories.slice(0, CATEGORIES).map(({ name }) => ({
    url: searchPath({ ...query, words: name, district: '', minPrice: null, maxPrice: null }),
    text: name,
  }));
  return links.length === 0
    ? ''
    : `<section><h2>Procure por categoria</h2>${chips('Categorias', links)}</section>`;
}

function page(
  shell: string,
  words: string,
  results: string,
  status: number,
  headers: Record<string, string>,
): Reply {
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      ...PAGE_HEADERS,
      'x-robots-tag': 'noindex',
      ...CORS_HEADERS,
      ...headers,
    },
    // Functions, because replace() would interpret `$` in a replacement string.
    body: shell.replace(SHELL_QUERY, () => escapeXml(words)).replace(SHELL_RESULTS, () => results),
  };
}
