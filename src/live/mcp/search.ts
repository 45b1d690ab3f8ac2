import type { Hit, Named } from '../../domain/catalog.ts';
import { nameKey } from '../../domain/places.ts';
import { type Found, type SearchPlan, SOFT_WEIGHT } from '../../domain/search.ts';
import type { Intent } from '../../understand/types.ts';
import type { Live } from '../live.ts';
import {
  asideMessages,
  preferredDistrict,
  preferredPrice,
  surroundings,
  wantsWhatIsThere,
} from './asides.ts';
import { resolvePlan, type Told } from './constraints.ts';
import { findCorrected } from './correct.ts';
import type { SearchArguments } from './search-arguments.ts';
import type { ToolContext } from './tool.ts';

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
};

/**
 * Runs a search: constraints resolved, the query understood, and the nearest category when nothing
 * matches its concepts. No location, merchant or price constraint is ever loosened.
 */
export async function runSearch<T>(
  args: SearchArguments,
  { live, recordsLeft }: ToolContext,
  target: Target<T>,
): Promise<SearchOutcome<T>> {
  const outcome: SearchOutcome<T> = {
    hits: [],
    interpretation: interpret(null),
    applied_filters: {},
    fallback: null,
    messages: [],
  };
  const plan = await resolvePlan(args, target.kind, live, outcome);
  const intent =
    args.query === undefined
      ? null
      : live.understand(args.query, await surroundings(args, outcome, live));
  outcome.interpretation = interpret(intent);
  if (plan === null) return outcome;
  const wanted = plan.limit;
  plan.groups = intent?.groups ?? [];
  plan.cheap = intent?.signals.cheap ?? false;
  plan.nearby = intent?.signals.near ?? false;
  if (intent !== null) {
    plan.preferredDistrict = preferredDistrict(intent.aside, plan);
    plan.preferredPrice = preferredPrice(intent.aside, plan);
    outcome.messages.push(...asideMessages(intent.aside, args, live.info.defaultCity));
    outcome.messages.push(...wishMessages(intent.signals, plan));
  }
  plan.limit = Math.min(wanted, recordsLeft);
  const named = intent === null || plan.groups.length > 0 || wantsWhatIsThere(intent.aside, args);
  if (named) {
    const found = await findCorrected(plan, intent?.groups ?? [], target.find, live);
    outcome.hits = found.hits;
    outcome.messages.push(...found.messages);
  }
  if (intent !== null) {
    const category = () => fallBack(intent, plan, live, target, outcome);
    const words = () => findWords(intent, plan, target, outcome);
    // A reading in no clear language is worth less than what records say: "marca" is hardly a frame.
    for (const next of intent.language === null ? [words, category] : [category, words]) {
      if (outcome.hits.length === 0) await next();
    }
  }
  if (outcome.hits.length === 0 && !named) {
    outcome.messages.push('The query names nothing that the catalog knows.');
  }
  if (outcome.hits.length > 0 && recordsLeft < wanted && outcome.hits.length === recordsLeft) {
    outcome.messages.push(
      `Shortened to ${recordsLeft} of ${wanted} records: the record quota of this minute is used up.`,
    );
  }
  return outcome;
}

function interpret(intent: Intent | null): SearchOutcome<unknown>['interpretation'] {
  if (intent === null) return { concepts: [], unmatched_terms: [], language: null };
  const terms = intent.groups
    .filter((group) => group.kind === 'term' && group.weight > SOFT_WEIGHT)
    .map((group) => group.label);
  return { concepts: intent.concepts, unmatched_terms: terms, language: intent.language };
}

async function fallBack<T>(
  intent: Intent,
  plan: SearchPlan,
  live: Live,
  target: Target<T>,
  outcome: SearchOutcome<T>,
): Promise<void> {
  if (plan.groups.length === 0) return;
  // A category that the caller named stays: it is a constraint as well.
  if (plan.categoryIds !== null) return;
  const concepts = intent.groups
    .flatMap((group) => group.alternatives.map(({ token }) => token))
    .filter((token) => token.startsWith('c:'));
  for (const category of await live.catalog.nearestCategories([...concepts, ...intent.broader])) {
    const found = await live.catalog.findCategories(String(category.id), target.kind);
    if ('unknown' in found) continue;
    const { hits } = await target.find({
      ...plan,
      groups: [],
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
  let { hits, unknownTokens } = await target.find({ ...plan, groups: words });
  const known = words.filter(({ alternatives }) =>
    alternatives.some(({ token }) => !unknownTokens.includes(token)),
  );
  if (known.length < words.length) {
    // What no record has may be the thing itself: the words beside it are no answer.
    if (plan.groups.length > 0 || known.length === 0) return;
    ({ hits } = await target.find({ ...plan, groups: known }));
  }
  if (hits.length === 0) return;
  outcome.hits = hits;
  const labels = known.map(({ label }) => label).join(', ');
  outcome.messages.push(`Searched for the words as they are written: ${labels}.`);
}

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
