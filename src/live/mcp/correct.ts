import type { Hit } from '../../domain/catalog.ts';
import { nameKey } from '../../domain/places.ts';
import type { Found, SearchPlan } from '../../domain/search.ts';
import type { Group } from '../../understand/types.ts';
import type { Live } from '../live.ts';

/**
 * Finds what a plan wants. Leftover words of the query that no record has are taken for the words of
 * the catalog that they look like, and the search is made again; a message says so. The plan then has
 * the corrected words.
 */
export async function findCorrected<T>(
  plan: SearchPlan,
  groups: Group[],
  find: (plan: SearchPlan) => Promise<Found<T>>,
  { catalog }: Pick<Live, 'catalog'>,
): Promise<{ hits: Hit<T>[]; messages: string[] }> {
  const { hits, unknownTokens } = await find(plan);
  const unknown = groups.filter(
    ({ kind, alternatives }) =>
      kind === 'term' && alternatives.every(({ token }) => unknownTokens.includes(token)),
  );
  if (unknown.length === 0) return { hits, messages: [] };
  const corrections = await catalog.correctWords(unknown.map(({ label }) => nameKey(label)));
  if (corrections.length === 0) return { hits, messages: [] };
  plan.groups = groups.map((group) => {
    const right = corrections.find(({ typed }) => typed === nameKey(group.label));
    if (right === undefined || !unknown.includes(group)) return group;
    return { ...group, alternatives: [{ token: right.token, weight: 1 }] };
  });
  return {
    hits: (await find(plan)).hits,
    messages: corrections.map(
      ({ typed, meant }) => `The catalog has no "${typed}"; searched for "${meant}".`,
    ),
  };
}
