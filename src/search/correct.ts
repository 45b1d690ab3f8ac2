import type { Hit } from '../domain/catalog.ts';
import { nameKey } from '../domain/places.ts';
import type { Clause, Found, SearchPlan } from '../domain/search.ts';
import type { Intent } from '../understand/types.ts';
import type { SearchDependencies } from './dependencies.ts';
import type { SearchMessage } from './messages.ts';

/**
 * Runs a search with spelling correction. Of the terms that no record has, merchant names are dropped and
 * unexplained ones replaced by the closest words of the catalog; the search is then repeated, with a message.
 * Returns the plan that was followed.
 */
export async function findCorrected<T>(
  planned: SearchPlan,
  intent: Pick<Intent, 'merchants' | 'unexplained'> | null,
  find: (plan: SearchPlan) => Promise<Found<T>>,
  { catalog }: Pick<SearchDependencies, 'catalog'>,
): Promise<{ plan: SearchPlan; hits: Hit<T>[]; messages: SearchMessage[] }> {
  let plan = planned;
  let { hits, unknownTokens } = await find(plan);
  const literal = withoutGuesses(plan.clauses, unknownTokens);
  if (literal !== null) {
    plan = { ...plan, clauses: literal };
    ({ hits, unknownTokens } = await find(plan));
  }
  const unknown = plan.clauses.filter(
    ({ kind, words }) =>
      kind === 'term' && words.every(({ token }) => unknownTokens.includes(token)),
  );
  if (intent === null || unknown.length === 0) return { plan, hits, messages: [] };
  const isMerchant = ({ label }: Clause) =>
    intent.merchants.some(({ name }) => nameKey(name) === nameKey(label));
  const typed = unknown.filter(({ label }) => intent.unexplained.includes(label));
  const corrections = await catalog.correctWords(typed.map(({ label }) => nameKey(label)));
  const clauses = plan.clauses.filter((clause) => !unknown.includes(clause) || !isMerchant(clause));
  if (corrections.length === 0 && clauses.length === plan.clauses.length) {
    return { plan, hits, messages: [] };
  }
  const corrected = clauses.map((clause) => {
    const right = corrections.find((one) => one.typed === nameKey(clause.label));
    if (right === undefined || !typed.includes(clause)) return clause;
    return { ...clause, words: [{ token: right.token, spelled: null }] };
  });
  plan = { ...plan, clauses: corrected };
  return {
    plan,
    hits: (await find(plan)).hits,
    messages: corrections.map(({ typed: word, meant }) => ({
      kind: 'corrected',
      typed: word,
      meant,
    })),
  };
}

/**
 * Takes guessed words (split or repaired) literally if some record has them as written, and drops other guesses:
 * "sevelamer" is no lamb. Null if no record has any of them.
 */
function withoutGuesses(
  clauses: readonly Clause[],
  unknownTokens: readonly string[],
): Clause[] | null {
  const isKnown = ({ guessed, kind, words }: Clause) =>
    guessed === true &&
    kind === 'concept' &&
    words.length > 0 &&
    words.every(({ token }) => !unknownTokens.includes(token));
  if (!clauses.some(isKnown)) return null;
  return clauses.flatMap((clause): Clause[] => {
    if (!clause.guessed) return [clause];
    return isKnown(clause) ? [{ ...clause, kind: 'term', meanings: [], names: [] }] : [];
  });
}
