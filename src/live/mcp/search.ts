import type { Hit, Named, Offer, Product } from '../../domain/catalog.ts';
import { shortName } from '../../domain/links.ts';
import { nameKey } from '../../domain/places.ts';
import type { Found, SearchPlan } from '../../domain/search.ts';
import type { Intent } from '../../understand/types.ts';
import type { Live } from '../live.ts';
import {
  asideMessages,
  heedCity,
  preferredPlace,
  preferredPrice,
  surroundings,
  wantsWhatIsThere,
} from './asides.ts';
import { resolvePlan, type Told } from './constraints.ts';
import { findCorrected } from './correct.ts';
import { keepExclusions } from './exclusions.ts';
import { farAwayMessages } from './far-away.ts';
import { heedMerchants, partialElsewhere, preferredMerchantIds } from './merchants.ts';
import type { SearchArguments } from './search-arguments.ts';
import type { ToolContext } from './tool.ts';
import { followUpMessage, understoodMessages } from './wishes.ts';

/** A search as it went: the hits and what the agent is told about them. */
export type SearchOutcome<T> = Told & {
  hits: Hit<T>[];
  interpretation: { concepts: string[]; unmatched_terms: string[]; language: string | null };
  fallback: { type: 'category'; category: Named } | null;
};

/** What is searched, and the data function that finds it. */
type Target<T> = {
  kind: 'products' | 'offers';
  find(plan: SearchPlan): Promise<Found<T>>;
  /** The same where the query asks for whatever is on offer. */
  findOnOffer?: (plan: SearchPlan) => Promise<Found<T>>;
};

/**
 * Runs a search: constraints resolved, the query understood, and the nearest category when nothing
 * matches its concepts. No location, merchant or price constraint is ever loosened.
 */
export async function runSearch<T>(
  args: SearchArguments,
  { live, recordsLeft }: ToolContext,
  everything: Target<T>,
): Promise<SearchOutcome<T>> {
  const outcome: SearchOutcome<T> = {
    hits: [],
    interpretation: interpret(null),
    applied_filters: {},
    fallback: null,
    messages: [],
  };
  const plan = await resolvePlan(args, everything.kind, live, outcome);
  const intent =
    args.query === undefined
      ? null
      : live.understand(args.query, await surroundings(args, outcome, live));
  outcome.interpretation = interpret(intent);
  const followUp = intent === null ? null : followUpMessage(intent, args);
  if (followUp !== null) outcome.messages.push(followUp);
  if (plan === null || followUp !== null) return outcome;
  const onOffer = intent?.wish?.kind === 'offers' ? everything.findOnOffer : undefined;
  const exclusions = keepExclusions(intent?.exclusions ?? [], onOffer ?? everything.find, live);
  const target = { ...everything, find: exclusions.find };
  if (intent !== null) {
    heedCity(intent.aside, args, plan, outcome);
    heed(intent, plan, outcome);
    outcome.messages.push(...asideMessages(intent.aside, args, plan, live.info.defaultCity));
    outcome.messages.push(...wishMessages(intent.signals, plan));
    outcome.messages.push(...understoodMessages(intent, target.kind));
  }
  const wanted = plan.limit;
  plan.limit = Math.min(wanted, recordsLeft);
  const named = intent === null || namesSomething(intent, plan, args);
  if (named) {
    const found = await findCorrected(plan, intent, target.find, live);
    outcome.hits = intent === null ? found.hits : partialElsewhere(found.hits, intent, plan);
    outcome.messages.push(...found.messages);
  }
  const leftOut = outcome.hits.length === 0 && exclusions.leftOut() > 0;
  if (outcome.hits.length === 0 && named && !leftOut)
    await tellElsewhere(plan, args, target, outcome);
  if (intent !== null && !leftOut) await findOtherwise(intent, plan, live, target, outcome);
  outcome.messages.push(...exclusions.messages(outcome.hits));
  outcome.messages.push(...(await farAwayMessages(plan, outcome.hits, live)));
  if (outcome.hits.length === 0 && !named && intent.aside.places.length === 0) {
    outcome.messages.push('The query names nothing that the catalog knows.');
  }
  if (outcome.hits.length > 0 && recordsLeft < wanted && outcome.hits.length === recordsLeft) {
    outcome.messages.push(
      `Shortened to ${recordsLeft} of ${wanted} records: the record quota of this minute is used up.`,
    );
  }
  return outcome;
}

/** Takes into the plan what the query asks for, and what it would rather have. */
function heed(intent: Intent, plan: SearchPlan, told: Told): void {
  plan.clauses = intent.clauses;
  plan.title = intent.title;
  plan.cheap = intent.signals.cheap;
  plan.nearby = intent.signals.near;
  Object.assign(plan, preferredPlace(intent.aside, plan));
  plan.preferredPrice = preferredPrice(intent.aside, plan);
  plan.preferredMerchantIds = preferredMerchantIds(intent, plan);
  heedMerchants(intent, plan, told);
}

/** Whether there is anything to search by: a thing, a wish, a place, a merchant, or what the search is kept to. */
const namesSomething = (intent: Intent, plan: SearchPlan, args: SearchArguments) =>
  plan.clauses.length > 0 ||
  intent.wish !== null ||
  (plan.preferredDistrict ?? plan.preferredNear) !== null ||
  intent.merchants.length > 0 ||
  wantsWhatIsThere(intent.aside, args);

/** Where nothing was found: the nearest category, or the words as they are written. */
async function findOtherwise<T>(
  intent: Intent,
  plan: SearchPlan,
  live: Live,
  target: Target<T>,
  outcome: SearchOutcome<T>,
): Promise<void> {
  const category = () => fallBack(intent, plan, live, target, outcome);
  const words = () => findWords(intent, plan, target, outcome);
  // A reading in no clear language is worth less than what records say: "marca" is hardly a frame.
  for (const next of intent.language === null ? [words, category] : [category, words]) {
    if (outcome.hits.length === 0) await next();
  }
}

function interpret(intent: Intent | null): SearchOutcome<unknown>['interpretation'] {
  if (intent === null) return { concepts: [], unmatched_terms: [], language: null };
  const terms = intent.clauses.flatMap(({ kind, label }) => (kind === 'term' ? [label] : []));
  return { concepts: intent.concepts, unmatched_terms: terms, language: intent.language };
}

async function fallBack<T>(
  intent: Intent,
  plan: SearchPlan,
  live: Live,
  target: Target<T>,
  outcome: SearchOutcome<T>,
): Promise<void> {
  if (plan.clauses.length === 0) return;
  // A category that the caller named stays: it is a constraint as well.
  if (plan.categoryIds !== null) return;
  const concepts = intent.clauses
    .flatMap(({ meanings }) => meanings.map(({ token }) => token))
    .filter((token) => token.startsWith('c:'));
  for (const category of await live.catalog.nearestCategories([...concepts, ...intent.broader])) {
    const found = await live.catalog.findCategories(String(category.id), target.kind);
    if ('unknown' in found) continue;
    const { hits } = await target.find({
      ...plan,
      clauses: [],
      title: null,
      categoryIds: found.ids,
      aiCategoryKey: nameKey(category.name),
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
async function findWords<T>(
  { words }: Intent,
  plan: SearchPlan,
  target: Target<T>,
  outcome: SearchOutcome<T>,
): Promise<void> {
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
async function tellElsewhere<T>(
  plan: SearchPlan,
  args: SearchArguments,
  target: Target<T>,
  { applied_filters: filters, messages }: SearchOutcome<T>,
): Promise<void> {
  if (plan.categoryIds !== null && plan.clauses.length > 0) {
    const { hits } = await target.find({ ...plan, categoryIds: null, aiCategoryKey: null });
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

/** What the catalog cannot do about a wish that the query speaks of. */
function wishMessages({ near, open, delivery }: Intent['signals'], plan: SearchPlan): string[] {
  const messages: string[] = [];
  if (near && plan.near === null && plan.district === null) {
    messages.push(
      'The query asks for something near: latitude and longitude, or a district, say where.',
    );
  }
  const unknown = [...(open ? ['opening hours'] : []), ...(delivery ? ['deliveries'] : [])];
  if (unknown.length > 0) {
    messages.push(`The catalog knows nothing of ${unknown.join(' and ')}: ask the store.`);
  }
  return messages;
}
