import { postRpc, toolCall } from '../support/http.ts';
import type { EvalCatalog } from './catalog.ts';
import { breaches } from './constraints.ts';
import { HIT_GRADE, hitAt, ndcgAt } from './metrics.ts';
import type { EvalQuery } from './queries.ts';

/** The outcome of one query. */
export type Outcome = {
  query: EvalQuery;
  /** The records of the answer, in its order. */
  ids: number[];
  hit1: boolean;
  hit3: boolean;
  ndcg10: number;
  isEmpty: boolean;
  /** Whether a trap ranks above the first right record. */
  trapped: boolean;
  violations: string[];
  latencyMs: number;
};

type Answer = { records: { id: number; match: string }[]; latencyMs: number };

const WARM_UP_QUERIES = 20;

/** Asks the service each query once, one after the other, and judges the answers. */
export async function evaluate(
  url: string,
  queries: EvalQuery[],
  catalog: EvalCatalog,
): Promise<Outcome[]> {
  for (const query of queries.slice(0, WARM_UP_QUERIES)) await ask(url, query);
  const outcomes: Outcome[] = [];
  for (const query of queries) outcomes.push(judge(query, await ask(url, query), catalog));
  return outcomes;
}

async function ask(url: string, query: EvalQuery): Promise<Answer> {
  const name = `search_local_${query.tool}`;
  const started = performance.now();
  const { status, body } = await postRpc(url, toolCall(name, query.arguments));
  const latencyMs = performance.now() - started;
  const result = body.result as
    | { structuredContent?: Record<string, Answer['records']> }
    | undefined;
  const records = result?.structuredContent?.[query.tool];
  if (records === undefined) {
    throw new Error(`query ${query.id}: HTTP ${status}, ${JSON.stringify(body).slice(0, 300)}`);
  }
  return { records, latencyMs };
}

/** Judges an answer by the grades of its query and by the catalog. */
export function judge(query: EvalQuery, answer: Answer, catalog: EvalCatalog): Outcome {
  const ids = answer.records.map(({ id }) => id);
  const grades = ids.map((id) => query.relevant[String(id)] ?? 0);
  // A declared fallback counts as honest: the service says that it found nothing of the kind.
  const honest = answer.records.every(({ match }) => match === 'category_fallback');
  return {
    query,
    ids,
    hit1: query.empty ? honest : hitAt(grades, 1),
    hit3: query.empty ? honest : hitAt(grades, 3),
    ndcg10: query.empty ? Number(honest) : ndcgAt(grades, Object.values(query.relevant), 10),
    isEmpty: ids.length === 0,
    trapped: isTrapped(query, ids, grades),
    violations: [...violations(query, ids, catalog)],
    latencyMs: answer.latencyMs,
  };
}

function isTrapped({ forbidden = [] }: EvalQuery, ids: number[], grades: number[]): boolean {
  const right = grades.findIndex((grade) => grade >= HIT_GRADE);
  const before = right === -1 ? ids : ids.slice(0, right);
  return before.some((id) => forbidden.includes(id));
}

function* violations(query: EvalQuery, ids: number[], catalog: EvalCatalog) {
  const now = Date.now();
  for (const id of ids) {
    for (const breach of breaches(query, id, catalog, now)) yield `${id}: ${breach}`;
  }
  if (new Set(ids).size < ids.length) yield 'a record twice';
  if (ids.length > (query.arguments.limit ?? 10)) yield 'more records than asked for';
}
