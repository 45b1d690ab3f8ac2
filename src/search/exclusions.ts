import type { Hit, Offer, Product } from '../domain/catalog.ts';
import { ROLE } from '../domain/relevance.ts';
import type { Clause, Found, SearchPlan } from '../domain/search.ts';
import type { Exclusion, SourceDocument } from '../understand/types.ts';
import type { SearchDependencies } from './dependencies.ts';
import type { SearchMessage } from './messages.ts';
import { asPartial, descending } from './partial.ts';

/** A search that applies exclusions, and its messages. */
type Kept<T> = {
  find(plan: SearchPlan): Promise<Found<T>>;
  /** Number of records that the last search dropped for naming what is excluded. */
  leftOut(): number;
  messages(hits: readonly Hit<T>[]): SearchMessage[];
};

/** Candidates judged per wanted result. */
const AMPLE = 2;
/** Reading a long text takes 5 ms. */
const MOST_JUDGED = 30;

/**
 * Wraps a search with the query's exclusions: records said to be without the thing come first, those that name it
 * are dropped, and silent ones follow as partial matches.
 */
export function keepExclusions<T>(
  exclusions: readonly Exclusion[],
  find: (plan: SearchPlan) => Promise<Found<T>>,
  { judge }: Pick<SearchDependencies, 'judge'>,
): Kept<T> {
  if (exclusions.length === 0) return { find, leftOut: () => 0, messages: () => [] };
  const wishes = new Set(exclusions.flatMap(({ clause }) => clause?.label ?? []));
  // The two searches below find mostly the same records.
  const verdicts = new Map<number, ReturnType<SearchDependencies['judge']>>();
  let leftOut = 0;

  const judged = (hits: readonly Hit<T>[]) =>
    hits.filter((hit) => {
      const record = hit.record as Product | Offer;
      const verdict = verdicts.get(record.id) ?? judge(documentOf(record), exclusions);
      verdicts.set(record.id, verdict);
      if (verdict === 'names') leftOut += 1;
      return verdict !== 'names';
    });
  const isKnown = ({ record }: Hit<T>) =>
    verdicts.get((record as Product | Offer).id) === 'without';

  return {
    async find(plan) {
      leftOut = 0;
      const wide = {
        ...plan,
        limit: Math.max(plan.limit, Math.min(MOST_JUDGED, plan.limit * AMPLE)),
      };
      const clauses = plan.clauses.filter(({ label }) => !wishes.has(label));
      const isNamed = clauses.some(({ weight }) => weight > ROLE.soft);
      const asked = clauses.length < plan.clauses.length;
      const saying = asked && (plan.sort === 'relevance' || !isNamed) ? await find(wide) : null;
      const said = judged(saying?.hits ?? []);
      const known = said.filter(isKnown);
      const labels = exclusions.map(({ diet }) => diet.label);
      if (saying !== null && !isNamed) {
        // With several exclusions, a record may satisfy one and be silent on another.
        const silent = exclusions.length > 1 ? said.filter((hit) => !isKnown(hit)) : [];
        const others = silent.map((hit) => asPartial(hit, labels));
        return { ...saying, hits: descending([...known, ...others]).slice(0, plan.limit) };
      }
      const all = await find({ ...wide, clauses });
      const rest = judged(all.hits).filter(
        ({ record }) => !known.some((hit) => isSame(hit.record, record)),
      );
      const hits = rest.map((hit) => (isKnown(hit) ? hit : asPartial(hit, labels)));
      const unknownTokens = [...all.unknownTokens, ...(saying?.unknownTokens ?? [])];
      if (plan.sort !== 'relevance') return { hits: hits.slice(0, plan.limit), unknownTokens };
      return {
        hits: descending(ranked(known, hits, clauses, leftOut).slice(0, plan.limit)),
        unknownTokens,
      };
    },
    leftOut: () => leftOut,
    messages: (hits) => messagesOf(hits.length, hits.filter(isKnown).length, leftOut, exclusions),
  };
}

const isSame = <T>(a: T, b: T) => (a as Product | Offer).id === (b as Product | Offer).id;

/** Builds the text of a record that is judged. */
function documentOf(record: Product | Offer): SourceDocument {
  const join = (...texts: (string | null | undefined)[]) => texts.filter(Boolean).join(' . ');
  if ('name' in record) {
    const { name, description, brand, category } = record;
    return { title: name, category: category?.name, body: join(description, brand) };
  }
  const { title, aiCategory, description, enrichedCopy, product } = record;
  return { title, category: aiCategory, body: join(product?.name, description, enrichedCopy) };
}

/** Returns whether a hit has what the query is about; if strict, loose matches do not count. */
function hasSubject<T>(
  { missing, loose }: Hit<T>,
  clauses: readonly Clause[],
  isStrict = false,
): boolean {
  const leading = clauses.filter(({ leads }) => leads);
  const about = leading.length > 0 ? leading : clauses.filter(({ weight }) => weight > ROLE.soft);
  return about.every(
    ({ label }) => !missing.includes(label) && !(isStrict && loose.includes(label)),
  );
}

/** Ranks hits known to be free of the thing first; hits off the subject only if nothing else is left. */
function ranked<T>(
  known: Hit<T>[],
  others: Hit<T>[],
  clauses: readonly Clause[],
  leftOut: number,
): Hit<T>[] {
  const ofKind = known.filter((hit) => hasSubject(hit, clauses));
  const fitting = others.filter((hit) => hasSubject(hit, clauses, true));
  const found = ofKind.length + fitting.length > 0 ? [...ofKind, ...fitting] : others;
  return found.length > 0 || leftOut > 0 ? found : known;
}

function messagesOf(
  shown: number,
  known: number,
  leftOut: number,
  exclusions: readonly Exclusion[],
): SearchMessage[] {
  const all = exclusions.map(({ diet }) => diet);
  if (shown === 0) return leftOut === 0 ? [] : [{ kind: 'all-left-out', exclusions: all }];
  const asDiets = exclusions.filter(
    ({ manner, diet }) => manner !== 'not' || diet.needs.length > 0,
  );
  if (asDiets.length === 0) return [{ kind: 'excluded', exclusions: all, leftOut }];
  return [{ kind: 'diets', diets: asDiets.map(({ diet }) => diet), shown, known, leftOut }];
}
