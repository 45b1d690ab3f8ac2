import type { ShowcaseProduct } from '../domain/catalog.ts';
import type { ShownOffer, Site } from '../publish/site.ts';

const CARDS = 6;

/** The best recent offers for the home page, at most one of each merchant. */
export function homeOffers(site: Site): ShownOffer[] {
  const merchants = new Set(site.latestOffers.map(({ merchant }) => merchant?.id));
  return site.latestOffers.slice(0, Math.min(CARDS, merchants.size));
}

/** Products of merchants that lie far apart in the showcase, which takes merchants in turn. */
export function homeProducts(site: Site): ShowcaseProduct[] {
  const round = site.showcase.slice(0, Math.max(CARDS, site.counts.merchants));
  const step = Math.max(1, Math.floor(round.length / CARDS));
  return round.filter((_, index) => index % step === 0).slice(0, CARDS);
}
