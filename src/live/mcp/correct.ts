import type { Hit } from '../../domain/catalog.ts';
import { nameKey } from '../../domain/places.ts';
import type { Clause, Found, SearchPlan } from '../../domain/search.ts';
import type { Live } from '../live.ts';

/**
 * Finds what a plan wants. Leftover words of the query that no record has are taken for the words of
 * the catalog that they look like, and the search is made again; a message says so. The plan then has
 * the corrected words.
 */
export async function findCorrected<T>(
  plan: SearchPlan,
  clauses: Clause[],
  find: (plan: SearchPlan) => Promise<Found<T>>,
  { catalog }: Pick<Live, 'catalog'>,
): Promise<{ hits: Hit<T>[]; messages: string[] }> {
  const { hits, unknownTokens } = await find(plan);
  const unknown = clauses.filter(
    ({ kind, words }) =>
      kind === 'term' && words.every(({ token }) => unknownTokens.includes(token)),
  );
  if (unknown.length === 0) return { hits, messages: [] };
  const corrections = await catalog.correctWords(unknown.map(({ label }) => nameKey(label)));
  if (corrections.length === 0) return { hits, messages: [] };
  plan.clauses = clauses.map((clause) => {
    const right = corrections.find(({ typed }) => typed === nameKey(clause.label));
    if (right === undefined || !unknown.includes(clause)) return clause;
    return { ...clause, words: [{ token: right.token, spelled: null }] };
  });
  return {
    hits: (await find(plan)).hits,
    messages: corrections.map(
      ({ typed, meant }) => `The catalog has no "${typed}"; searched for "${meant}".`,
    ),
  };
}
