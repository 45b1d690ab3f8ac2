import type { Hit, Product } from '../domain/catalog.ts';
import { ApiError } from '../domain/errors.ts';
import { cleanLine, escapeXml } from '../domain/escape.ts';
import { formatMoney, shortName } from '../domain/links.ts';
import { PAGE_POLICY, SEARCH_SHELL } from '../domain/surface.ts';
import { type Call, CORS_HEADERS, faultReply, methodNotAllowed, type Reply } from '../http/call.ts';
import { runSearch } from '../search/search.ts';
import type { Live, LiveHandler } from './live.ts';

/** What the published shell of the page holds where the words and the results belong. */
export const SHELL_QUERY = '__QUERY__';
export const SHELL_RESULTS = '__RESULTS__';

const RECORDS = 12;
const QUERY_LENGTH = 400;

/**
 * GET /buscar?q=…: the search box of the home page, for people, without scripting. The same search as
 * the catalog server's, charged to the same record quota.
 */
export const searchPageHandler: LiveHandler = async (call, live) => {
  if (call.method !== 'GET' && call.method !== 'HEAD') return methodNotAllowed('GET, HEAD');
  const shell = await live.published.text(SEARCH_SHELL);
  if (shell === null) return faultReply('NOT_FOUND');
  const query = cleanLine(call.query().get('q') ?? '').slice(0, QUERY_LENGTH);
  try {
    const results = query === '' ? '' : await findResults(query, call, live);
    return page(shell, query, results, 200, {});
  } catch (error) {
    if (!(error instanceof ApiError) || error.retryAfterSeconds === undefined) throw error;
    const wait = String(error.retryAfterSeconds);
    const words = `<p>Não deu para buscar agora. Tente de novo em ${wait} segundos.</p>`;
    return page(shell, query, words, error.status, { 'retry-after': wait });
  }
};

async function findResults(query: string, call: Call, live: Live): Promise<string> {
  const { remaining } = await live.quotas.peek('catalog-records', call.client);
  const target = { kind: 'products' as const, find: live.catalog.searchProducts };
  const context = { live, recordsLeft: remaining };
  const { hits, fallback } = await runSearch({ query, limit: RECORDS }, context, target);
  if (hits.length > 0) await live.quotas.consume('catalog-records', call.client, hits.length);
  const words = `<strong>${escapeXml(query)}</strong>`;
  if (hits.length === 0) return `<p>Nada encontrado em ${place(live)} para ${words}.</p>`;
  const heading =
    fallback === null
      ? `Produtos em ${place(live)} para ${words}:`
      : `Nada encontrado para ${words}; isto vem da categoria mais próxima, ${escapeXml(fallback.category.name)}:`;
  const cards = hits.map((hit) => card(hit, live)).join('');
  return `<p>${heading}</p><ul class="cards">${cards}</ul>`;
}

function card({ record, nearestStore }: Hit<Product>, { links }: Live): string {
  const { id, name, price, merchant } = record;
  const where = [merchant.name, nearestStore?.district].flatMap((part) => part ?? []).join(', ');
  const amount =
    price === null ? '' : `<p class="amount">${formatMoney(price.amount, price.currency)}</p>`;
  return (
    `<li><h2><a href="${escapeXml(links.product(id))}">${escapeXml(shortName(name))}</a></h2>` +
    `${amount}<p class="soft">${escapeXml(cleanLine(where))}</p></li>`
  );
}

const place = ({ info }: Live) => escapeXml(info.defaultCity);

function page(
  shell: string,
  query: string,
  results: string,
  status: number,
  headers: Record<string, string>,
): Reply {
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': PAGE_POLICY,
      'x-robots-tag': 'noindex',
      ...CORS_HEADERS,
      ...headers,
    },
    // Functions, because a replacement text may hold signs that mean something to replace().
    body: shell.replace(SHELL_QUERY, () => escapeXml(query)).replace(SHELL_RESULTS, () => results),
  };
}
