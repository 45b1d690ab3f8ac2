import type { Hit, Offer, Product } from '../domain/catalog.ts';
import { nameKey } from '../domain/places.ts';
import type { SearchPlan } from '../domain/search.ts';
import type { Intent } from '../understand/types.ts';
import type { SearchArguments } from './arguments.ts';
import type { SearchReport } from './constraints.ts';
import type { SearchDependencies } from './dependencies.ts';
import type { SearchMessage } from './messages.ts';
import type { SearchOutcome, Target } from './outcome.ts';
import { asPartial, descending } from './partial.ts';

/** Each category costs a search. */
const MOST_CATEGORIES = 5;
/** Products out of stock that a message names. */
const MOST_NAMED = 3;

/** A search and the hits that it has so far. */
type Attempt<T> = {
  intent: Intent;
  plan: SearchPlan;
  deps: SearchDependencies;
  target: Target<T>;
  hits: readonly Hit<T>[];
};

/** What a weaker search found, at least one hit. */
type Weaker<T> = Pick<SearchOutcome<T>, 'hits' | 'fallback'> & { message: SearchMessage };

/**
 * Tries weaker searches: the broader kind if no hit has the head noun; the nearest category and the literal words
 * if there is no hit at all. Null if none applies or finds anything.
 */
export async function findFallback<T>(attempt: Attempt<T>): Promise<Weaker<T> | null> {
  const ofKind = await findKind(attempt);
  if (ofKind !== null || attempt.hits.length > 0) return ofKind;
  // With no clear language, literal words are safer than meanings: "marca" is hardly a frame.
  return attempt.intent.language === null
    ? ((await findWords(attempt)) ?? (await findByCategory(attempt)))
    : ((await findByCategory(attempt)) ?? (await findWords(attempt)));
}

/** Searches for the broader kind if no hit is the thing itself: any kitchen knife for a chef's knife. */
async function findKind<T>({
  intent,
  plan,
  target,
  hits: found,
}: Attempt<T>): Promise<Weaker<T> | null> {
  const { kind } = intent;
  const wanted = plan.clauses.find(({ leads }) => leads);
  if (kind === null || wanted === undefined || plan.sort !== 'relevance') return null;
  if (!found.every(({ missing }) => missing.includes(wanted.label))) return null;
  const clauses = plan.clauses.map((clause) => (clause === wanted ? kind : clause));
  const { hits } = await target.find({ ...plan, clauses, title: null });
  const ofKind = hits.filter(({ missing, loose }) => ![...missing, ...loose].includes(kind.label));
  if (ofKind.length === 0) return null;
  return {
    hits: descending(ofKind.map((hit) => asPartial(hit, [wanted.label]))),
    fallback: null,
    message: { kind: 'broader-kind', wanted: wanted.label, found: kind.label },
  };
}

/** Searches the nearest categories, one after the other. */
async function findByCategory<T>({
  intent,
  plan,
  deps,
  target,
}: Attempt<T>): Promise<Weaker<T> | null> {
  // The caller's category is a hard constraint.
  if (plan.clauses.length === 0 || plan.categoryIds !== null) return null;
  const concepts = intent.clauses
    .flatMap(({ meanings }) => meanings.map(({ token }) => token))
    .filter((token) => token.startsWith('c:'));
  const near = await deps.catalog.nearestCategories([...concepts, ...intent.broader]);
  for (const category of near.slice(0, MOST_CATEGORIES)) {
    const found = await deps.catalog.findCategories(String(category.id), target.kind);
    if ('unknown' in found) continue;
    const { hits } = await target.find({
      ...plan,
      clauses: [],
      title: null,
      categoryIds: found.ids,
      aiCategoryKeys: [nameKey(category.name)],
    });
    if (hits.length === 0) continue;
    return {
      hits: hits.map((hit) => ({ ...hit, match: 'category_fallback', score: hit.score / 2 })),
      fallback: { type: 'category', category },
      message: { kind: 'nearest-category', category: category.name },
    };
  }
  return null;
}

/** Searches for the words as written; if the query names no concept, unknown words are dropped. */
async function findWords<T>({ intent, plan, target }: Attempt<T>): Promise<Weaker<T> | null> {
  const { words } = intent;
  if (words.length === 0) return null;
  let { hits, unknownTokens } = await target.find({ ...plan, clauses: words });
  const known = words.filter((clause) =>
    clause.words.some(({ token }) => !unknownTokens.includes(token)),
  );
  if (known.length < words.length) {
    // The unknown word may be the head: hits for its modifiers alone would be wrong.
    if (plan.clauses.length > 0 || known.length === 0) return null;
    ({ hits } = await target.find({ ...plan, clauses: known }));
  }
  if (hits.length === 0) return null;
  const labels = known.map(({ label }) => label);
  return { hits, fallback: null, message: { kind: 'literal-words', words: labels } };
}

/** Names products that match in full but are out of stock, which a search without `in_stock_only` leaves out. */
export async function namesOutOfStock<T>(
  plan: SearchPlan,
  args: SearchArguments,
  { kind, find }: Target<T>,
): Promise<SearchMessage | null> {
  if (kind !== 'products' || args.in_stock_only !== undefined) return null;
  const { hits } = await find({ ...plan, inStockOnly: false, limit: MOST_NAMED });
  const matching = hits.filter(({ match }) => match === 'exact');
  const names = distinct(matching.map(({ record }) => (record as Product).name));
  return names.length === 0 ? null : { kind: 'out-of-stock', products: names };
}

/** Names other categories, or other cities if the city was defaulted, that would have had results. */
export async function namesElsewhere<T>(
  plan: SearchPlan,
  args: SearchArguments,
  filters: SearchReport['applied_filters'],
  { find }: Target<T>,
): Promise<SearchMessage | null> {
  if (plan.categoryIds !== null && plan.clauses.length > 0) {
    const { hits } = await find({ ...plan, categoryIds: null, aiCategoryKeys: [] });
    const categories = distinct(hits.map(({ record }) => categoryOf(record as Product | Offer)));
    if (categories.length === 0) return null;
    return { kind: 'other-categories', category: String(filters.category), categories };
  }
  if (args.city !== undefined || plan.city === null || plan.district !== null) return null;
  const { hits } = await find({ ...plan, city: null });
  const cities = distinct(hits.map(({ nearestStore }) => nearestStore?.city));
  return cities.length === 0 ? null : { kind: 'other-cities', city: plan.city, cities };
}

const categoryOf = (record: Product | Offer) =>
  'name' in record ? record.category?.name : record.aiCategory;

const distinct = (names: readonly (string | null | undefined)[]) => [
  ...new Set(names.filter((name) => typeof name === 'string')),
];
