import { makeRandom } from './random.ts';

/** A view event in the shape of `record_views`. */
type SampleView = { kind: 'product' | 'offer'; id: number; source: 'user' | 'agent'; at: string };
type SampleReaction = { productId: number; user: string; reaction: 'like' | 'dislike' };

const VIEWS = 60_000;
const REACTIONS = 4_000;
const OFFER_SHARE = 0.2;
const AGENT_SHARE = 0.12;
const LIKE_SHARE = 0.88;
const USERS = 2_500;
const MINUTE_MS = 60_000;
/** 48 hours, the limit for late events, less five minutes for the load itself. */
const SPAN_MS = 48 * 60 * MINUTE_MS - 5 * MINUTE_MS;

/** Relative activity by hour of the day in São Paulo: lunch and evening peaks, quiet nights. */
const HOURLY = [
  4, 2, 1, 1, 1, 2, 4, 8, 13, 17, 20, 26, 34, 31, 24, 21, 21, 24, 29, 36, 38, 34, 22, 10,
];
const BUSIEST = Math.max(...HOURLY);

/** Generates 48 hours of activity up to `now`; deterministic for a catalog, instant and seed. */
export function sampleActivity(
  catalog: { productIds: number[]; offerIds: number[] },
  now: Date,
  seed = 1,
): { views: SampleView[]; reactions: SampleReaction[] } {
  const random = makeRandom(seed);
  const products = popularity(catalog.productIds, random);
  const offers = popularity(catalog.offerIds, random);
  const views: SampleView[] = [];
  while (views.length < VIEWS && products.length > 0) {
    const at = now.getTime() - SPAN_MS + Math.floor(random() * (SPAN_MS - 1));
    if (random() * BUSIEST > (HOURLY[hourInSaoPaulo(at)] ?? 0)) continue;
    const isOffer = offers.length > 0 && random() < OFFER_SHARE;
    const isAgent = !isOffer && random() < AGENT_SHARE;
    views.push({
      kind: isOffer ? 'offer' : 'product',
      id: pick(isOffer ? offers : products, random),
      source: isAgent ? 'agent' : 'user',
      at: new Date(at).toISOString(),
    });
  }
  return { views, reactions: reactions(products, random) };
}

function reactions(products: Ranked[], random: () => number): SampleReaction[] {
  const made = new Map<string, SampleReaction>();
  for (let attempt = 0; attempt < REACTIONS * 2 && made.size < REACTIONS; attempt += 1) {
    if (products.length === 0) break;
    const productId = pick(products, random);
    const user = `sample-user-${Math.floor(random() * USERS)}`;
    const reaction = random() < LIKE_SHARE ? 'like' : 'dislike';
    made.set(`${productId} ${user}`, { productId, user, reaction });
  }
  return [...made.values()];
}

/** São Paulo is UTC-3 all year: Brazil has no daylight saving time. */
function hourInSaoPaulo(at: number): number {
  return new Date(at - 3 * 60 * MINUTE_MS).getUTCHours();
}

/** An id with the cumulative popularity up to it. */
type Ranked = { id: number; upTo: number };

/** A Zipf-like distribution: the n-th item weighs 1/n^0.9; 5 % of items get no activity. */
function popularity(ids: number[], random: () => number): Ranked[] {
  const shuffled = ids
    .map((id) => ({ id, place: random() }))
    .sort((a, b) => a.place - b.place)
    .slice(0, Math.ceil(ids.length * 0.95));
  let total = 0;
  return shuffled.map(({ id }, index) => {
    total += 1 / (index + 1) ** 0.9;
    return { id, upTo: total };
  });
}

function pick(ranked: Ranked[], random: () => number): number {
  const wanted = random() * (ranked.at(-1)?.upTo ?? 0);
  let low = 0;
  let high = ranked.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranked[middle]?.upTo ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return ranked[low]?.id ?? 0;
}
