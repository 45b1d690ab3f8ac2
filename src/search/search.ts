import type { SearchPlan } from '../domain/search.ts';
import type { Intent } from '../understand/types.ts';
import type { SearchArguments } from './arguments.ts';
import { resolvePlan, type SearchReport } from './constraints.ts';
import { findCorrected } from './correct.ts';
import type { SearchDependencies } from './dependencies.ts';
import { keepExclusions } from './exclusions.ts';
import { findFallback, namesOutOfStock, suggestElsewhere } from './fallbacks.ts';
import { farAwayMessages } from './far-away.ts';
import {
  applyNamedCity,
  asksForEverything,
  mentionMessages,
  preferredPlace,
  preferredPrice,
  queryContext,
} from './mentions.ts';
import { applyNamedMerchants, partialElsewhere, preferredMerchantIds } from './merchants.ts';
import type { SearchMessage } from './messages.ts';
import type { SearchOutcome, Target } from './outcome.ts';
import { followUpMessage, understoodMessages } from './wishes.ts';

/**
 * Runs a search: resolves the filters, understands the query, retrieves, and falls back if nothing matches.
 * Filters by place, merchant and price are never relaxed.
 */
export async function runSearch<T>(
  args: SearchArguments,
  { live: deps, recordsLeft }: { live: SearchDependencies; recordsLeft: number },
  everything: Target<T>,
): Promise<SearchOutcome<T>> {
  const outcome: SearchOutcome<T> = {
    hits: [],
    interpretation: interpret(null),
    applied_filters: {},
    fallback: null,
    messages: [],
  };
  const plan = await resolvePlan(args, everything.kind, deps, outcome);
  const intent =
    args.query === undefined
      ? null
      : deps.understand(args.query, await queryContext(args, outcome, deps));
  outcome.interpretation = interpret(intent);
  const followUp = intent === null ? null : followUpMessage(intent, args);
  if (followUp !== null) outcome.messages.push(followUp);
  if (plan === null || followUp !== null) return outcome;
  const onOffer = intent?.wish?.kind === 'offers' ? everything.findOnOffer : undefined;
  const exclusions = keepExclusions(intent?.exclusions ?? [], onOffer ?? everything.find, deps);
  const target = { ...everything, find: exclusions.find };
  if (intent !== null) {
    applyNamedCity(intent.mentions, plan, outcome);
    applyIntent(intent, plan, outcome);
    outcome.messages.push(...mentionMessages(intent.mentions, args, plan, deps.info.defaultCity));
    outcome.messages.push(...wishMessages(intent.signals, plan));
    outcome.messages.push(...understoodMessages(intent, target.kind));
  }
  const wanted = plan.limit;
  plan.limit = Math.min(wanted, recordsLeft);
  const named = intent === null || namesSomething(intent, plan, args);
  if (named) {
    const found = await findCorrected(plan, intent, target.find, deps);
    outcome.hits = intent === null ? found.hits : partialElsewhere(found.hits, intent, plan);
    outcome.messages.push(...found.messages);
  }
  const leftOut = outcome.hits.length === 0 && exclusions.leftOut() > 0;
  if (outcome.hits.length === 0 && named && !leftOut) {
    const outOfStock = await namesOutOfStock(plan, args, target);
    if (outOfStock !== null) outcome.messages.push(outOfStock);
    else await suggestElsewhere(plan, args, target, outcome);
  }
  if (intent !== null && !leftOut) await findFallback({ intent, plan, deps, target, outcome });
  outcome.messages.push(...exclusions.messages(outcome.hits));
  outcome.messages.push(...(await farAwayMessages(plan, outcome.hits, deps)));
  if (outcome.hits.length === 0 && !named && intent.mentions.places.length === 0) {
    outcome.messages.push({ kind: 'names-nothing' });
  }
  if (outcome.hits.length > 0 && recordsLeft < wanted && outcome.hits.length === recordsLeft) {
    outcome.messages.push({ kind: 'shortened', shown: recordsLeft, wanted });
  }
  return outcome;
}

/** Adds the query's clauses and preferences to the plan. */
function applyIntent(intent: Intent, plan: SearchPlan, report: SearchReport): void {
  plan.clauses = intent.clauses;
  plan.title = intent.title;
  plan.cheap = intent.signals.cheap;
  plan.nearby = intent.signals.near;
  Object.assign(plan, preferredPlace(intent.mentions, plan));
  plan.preferredPrice = preferredPrice(intent.mentions, plan);
  plan.preferredMerchantIds = preferredMerchantIds(intent, plan);
  applyNamedMerchants(intent, plan, report);
}

/** Returns whether there is anything to search by: clauses, a wish, a place, a merchant or a repeated filter. */
const namesSomething = (intent: Intent, plan: SearchPlan, args: SearchArguments) =>
  plan.clauses.length > 0 ||
  intent.wish !== null ||
  (plan.preferredDistrict ?? plan.preferredNear) !== null ||
  intent.merchants.length > 0 ||
  asksForEverything(intent.mentions, args);

function interpret(intent: Intent | null): SearchOutcome<unknown>['interpretation'] {
  if (intent === null) return { concepts: [], unmatched_terms: [], language: null };
  const terms = intent.clauses.flatMap(({ kind, label }) => (kind === 'term' ? [label] : []));
  return { concepts: intent.concepts, unmatched_terms: terms, language: intent.language };
}

/** Notes for wishes that the catalog cannot honour. */
function wishMessages(
  { near, open, delivery }: Intent['signals'],
  plan: SearchPlan,
): SearchMessage[] {
  const messages: SearchMessage[] = [];
  if (near && plan.near === null && plan.district === null) messages.push({ kind: 'near-what' });
  if (open || delivery) {
    messages.push({ kind: 'unknown-facts', openingHours: open, deliveries: delivery });
  }
  return messages;
}
