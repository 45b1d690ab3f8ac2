import { priced } from '../domain/price.ts';
import type { Site } from '../publish/site.ts';
import { type CardView, offerCard, productCard, whereOf } from './cards.ts';

const CARDS = 8;

/** Returns cards of recent offers for the home page, at most one per merchant. */
export function homeOffers({ latestOffers, links }: Site): CardView[] {
  const merchants = new Set(latestOffers.map(({ merchant }) => merchant?.id));
  return latestOffers.slice(0, Math.min(CARDS, merchants.size)).map((offer) => {
    const { id, aiCategory: category, picture, merchant, store } = offer;
    const card = { ...priced(offer), id, category, picture, merchantId: merchant?.id ?? null };
    return offerCard(card, links, whereOf(merchant?.name, store));
  });
}

/** Returns cards of products, evenly spaced in the showcase (which alternates merchants) so that merchants differ. */
export function homeProducts({ showcase, links, counts }: Site): CardView[] {
  const round = showcase.slice(0, Math.max(CARDS, counts.merchants));
  const step = Math.max(1, Math.floor(round.length / CARDS));
  const chosen = round.filter((_, index) => index % step === 0).slice(0, CARDS);
  return chosen.map(({ id, name, price, media, merchant, store, category }) => {
    const picture = media.find(({ type }) => type === 'image') ?? null;
    const about = {
      where: whereOf(merchant.name, store),
      category: category?.name ?? null,
    };
    return productCard({ id, title: name, price, picture }, links, about);
  });
}
