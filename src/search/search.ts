import type { SearchPlan } from '../domain/search.ts';
import type { Intent } from '../understand/types.ts';
import type { SearchArguments } from './arguments.ts';
import { resolvePlan, type SearchReport } from './constraints.ts';
import { findCorrected } from './correct.ts';
import type { SearchDependencies } from './dependencies.ts';
import { keepExclusions } from './exclusions.ts';
import { findFallback, namesElsewhere, namesOutOfStock } from './fallbacks.ts';
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
import type { SearchOutcome, Target } from './outcome.ts';
import { followUpMessage, signalMessages, understoodMessages } from './wishes.ts';

/**
 * Runs a search: resolves the filters, understands the query, retrieves, and falls back if nothing matches.
 * Filters by place, merchant and price are never relaxed.
 */
export async function runSearch<T>(
  args: SearchArguments,
  { live: deps, recordsLeft }: { live: SearchDependencies; recordsLeft: number },
  target: Target<T>,
): Promise<SearchOutcome<T>> {
  const report: SearchReport = { applied_filters: {}, messages: [] };
  const plan = await resolvePlan(args, target.kind, deps, report);
  const intent =
    args.query === undefined
      ? null
      : deps.understand(args.query, await queryContext(args, report, deps));
  const { applied_filters, messages } = report;
  const interpretation = interpret(intent);
  const followUp = intent === null ? null : followUpMessage(intent, args);
  if (followUp !== null) messages.push(followUp);
  if (plan === null || followUp !== null) {
    return { hits: [], interpretation, applied_filters, fallback: null, messages };
  }
  if (intent !== null) {
    applyIntent(intent, plan, report);
    messages.push(...mentionMessages(intent.mentions, args, plan, deps.info.defaultCity));
    messages.push(...signalMessages(intent.signals, plan));
    messages.push(...understoodMessages(intent, target.kind));
  }
  const limited = { ...plan, limit: Math.min(plan.limit, recordsLeft) };
  const found = await retrieve({
    args,
    intent,
    plan: limited,
    filters: applied_filters,
    deps,
    target,
  });
  const { hits, fallback } = found;
  messages.push(...found.messages);
  if (hits.length > 0 && recordsLeft < plan.limit && hits.length === recordsLeft) {
    messages.push({ kind: 'shortened', shown: recordsLeft, wanted: plan.limit });
  }
  return { hits, interpretation, applied_filters, fallback, messages };
}

/** Adds the query's clauses and preferences to the plan, and what it replaces of the filters to the report. */
function applyIntent(intent: Intent, plan: SearchPlan, report: SearchReport): void {
  applyNamedCity(intent.mentions, plan, report);
  plan.clauses = intent.clauses;
  plan.title = intent.title;
  plan.cheap = intent.signals.cheap;
  plan.nearby = intent.signals.near;
  Object.assign(plan, preferredPlace(intent.mentions, plan));
  plan.preferredPrice = preferredPrice(intent.mentions, plan);
  plan.preferredMerchantIds = preferredMerchantIds(intent, plan);
  applyNamedMerchants(intent, plan, report);
}

/** A search whose filters are resolved and whose query is understood. */
type Planned<T> = {
  args: SearchArguments;
  intent: Intent | null;
  plan: SearchPlan;
  filters: SearchReport['applied_filters'];
  deps: SearchDependencies;
  target: Target<T>;
};

/** Finds what is planned, or else what comes closest, and explains what is missing. */
async function retrieve<T>({
  target: everything,
  ...planned
}: Planned<T>): Promise<Pick<SearchOutcome<T>, 'hits' | 'fallback' | 'messages'>> {
  const { args, intent, filters, deps } = planned;
  const onOffer = intent?.wish?.kind === 'offers' ? everything.findOnOffer : undefined;
  const exclusions = keepExclusions(intent?.exclusions ?? [], onOffer ?? everything.find, deps);
  const target = { ...everything, find: exclusions.find };
  const isNamed = intent === null || namesSomething(intent, planned.plan, args);
  const { plan, messages, ...found } = isNamed
    ? await findCorrected(planned.plan, intent, target.find, deps)
    : { plan: planned.plan, hits: [], messages: [] };
  const direct = intent === null ? found.hits : partialElsewhere(found.hits, intent, plan);
  const isLeftOut = direct.length === 0 && exclusions.leftOut() > 0;
  if (direct.length === 0 && isNamed && !isLeftOut) {
    const elsewhere =
      (await namesOutOfStock(plan, args, target)) ??
      (await namesElsewhere(plan, args, filters, target));
    if (elsewhere !== null) messages.push(elsewhere);
  }
  const weaker =
    intent === null || isLeftOut
      ? null
      : await findFallback({ intent, plan, deps, target, hits: direct });
  if (weaker !== null) messages.push(weaker.message);
  const { hits, fallback } = weaker ?? { hits: direct, fallback: null };
  messages.push(...exclusions.messages(hits), ...(await farAwayMessages(plan, hits, deps)));
  if (hits.length === 0 && !isNamed && intent.mentions.places.length === 0) {
    messages.push({ kind: 'names-nothing' });
  }
  return { hits, fallback, messages };
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
