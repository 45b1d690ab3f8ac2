import type { Offer, Product } from '../domain/catalog.ts';
import { shortName } from '../domain/links.ts';
import { nameKey } from '../domain/places.ts';
import type { SearchPlan } from '../domain/search.ts';
import type { Intent } from '../understand/types.ts';
import type { SearchArguments } from './arguments.ts';
import type { SearchDependencies } from './dependencies.ts';
import type { SearchOutcome, Target } from './outcome.ts';
import { asPartial, descending } from './partial.ts';

/** Each category that is tried is a search of its own. */
const MOST_CATEGORIES = 5;

/** What a search has done so far, and what it may do yet. */
type Attempt<T> = {
  intent: Intent;
  plan: SearchPlan;
  deps: SearchDependencies;
  target: Target<T>;
  outcome: SearchOutcome<T>;
};

/**
 * Where nothing was found that the query is about: what it is a kind of; and where nothing was found at all, the
 * nearest category, or the words as they are written.
 */
export async function findFallback<T>(attempt: Attempt<T>): Promise<void> {
  await findKind(attempt);
  // A reading in no clear language is worth less than what records say: "marca" is hardly a frame.
  const isClear = attempt.intent.language !== null;
  for (const next of isClear ? [findByCategory, findWords] : [findWords, findByCategory]) {
    if (attempt.outcome.hits.length === 0) await next(attempt);
  }
}

/** Finds what the wanted thing is a kind of, where no record is that thing: any kitchen knife for a chef's knife. */
async function findKind<T>({ intent, plan, target, outcome }: Attempt<T>): Promise<void> {
  const { kind } = intent;
  const wanted = plan.clauses.find(({ leads }) => leads);
  if (kind === null || wanted === undefined || plan.sort !== 'relevance') return;
  if (!outcome.hits.every(({ missing }) => missing.includes(wanted.label))) return;
  const clauses = plan.clauses.map((clause) => (clause === wanted ? kind : clause));
  const { hits } = await target.find({ ...plan, clauses, title: null });
  const ofKind = hits.filter(({ missing, loose }) => ![...missing, ...loose].includes(kind.label));
  if (ofKind.length === 0) return;
  outcome.hits = descending(ofKind.map((hit) => asPartial(hit, [wanted.label])));
  outcome.messages.push(
    `Nothing is known as "${wanted.label}": these are of its kind, "${kind.label}".`,
  );
}

/** Finds what the nearest category has. */
async function findByCategory<T>({
  intent,
  plan,
  deps,
  target,
  outcome,
}: Attempt<T>): Promise<void> {
  if (plan.clauses.length === 0) return;
  // A category that the caller named stays: it is a constraint as well.
  if (plan.categoryIds !== null) return;
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
    outcome.hits = hits.map((hit) => ({
      ...hit,
      match: 'category_fallback',
      score: hit.score / 2,
    }));
    outcome.fallback = { type: 'category', category };
    outcome.messages.push(
      `Nothing matches the query itself; these are from the nearest category, ${category.name}.`,
    );
    return;
  }
}

/** Finds the words of a query as they are written; when it names nothing, those that some record has. */
async function findWords<T>({ intent, plan, target, outcome }: Attempt<T>): Promise<void> {
  const { words } = intent;
  if (words.length === 0) return;
  let { hits, unknownTokens } = await target.find({ ...plan, clauses: words });
  const known = words.filter((clause) =>
    clause.words.some(({ token }) => !unknownTokens.includes(token)),
  );
  if (known.length < words.length) {
    // What no record has may be the thing itself: the words beside it are no answer.
    if (plan.clauses.length > 0 || known.length === 0) return;
    ({ hits } = await target.find({ ...plan, clauses: known }));
  }
  if (hits.length === 0) return;
  outcome.hits = hits;
  const labels = known.map(({ label }) => label).join(', ');
  outcome.messages.push(`Searched for the words as they are written: ${labels}.`);
}

/** Where the category that was asked for, or the city that was not, has nothing: which others have it. */
export async function suggestElsewhere<T>(
  plan: SearchPlan,
  args: SearchArguments,
  target: Target<T>,
  { applied_filters: filters, messages }: SearchOutcome<T>,
): Promise<void> {
  if (plan.categoryIds !== null && plan.clauses.length > 0) {
    const { hits } = await target.find({ ...plan, categoryIds: null, aiCategoryKeys: [] });
    const names = namesOf(hits.map(({ record }) => categoryOf(record as Product | Offer)));
    if (names === '') return;
    messages.push(
      `Nothing in the category ${filters.category}, but elsewhere: to search there, pass category: ${names}.`,
    );
    return;
  }
  if (args.city !== undefined || plan.city === null || plan.district !== null) return;
  const { hits } = await target.find({ ...plan, city: null });
  const names = namesOf(hits.map(({ nearestStore }) => nearestStore?.city));
  if (names === '') return;
  messages.push(
    `Nothing in ${plan.city}, but elsewhere in the catalog: to search there, pass city: ${names}.`,
  );
}

const categoryOf = (record: Product | Offer) =>
  'name' in record ? record.category?.name : record.aiCategory;

const namesOf = (names: readonly (string | null | undefined)[]) =>
  [...new Set(names.filter((name) => typeof name === 'string'))]
    .map((name) => `"${shortName(name)}"`)
    .join(', ');
