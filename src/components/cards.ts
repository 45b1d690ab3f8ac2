import type { Media, Store } from '../domain/catalog.ts';
import { cleanLine } from '../domain/escape.ts';
import type { Links } from '../domain/links.ts';
import { formatPrice, offerPriceLine, priced } from '../domain/price.ts';
import type { OfferCard, ProductCard, Site } from '../publish/site.ts';

/** The content of a card. */
export type CardView = {
  title: string;
  url: string;
  price: string | null;
  /** Merchant and district. */
  where: string | null;
  picture: Media | null;
  /** Texts that choose the fallback drawing, the most reliable first. */
  about: (string | null)[];
};

/** Returns the card of an offer; `where` comes from `whereOf`. */
export function offerCard(offer: OfferCard, links: Links, where: string | null): CardView {
  return {
    title: offer.title,
    url: links.offer(offer.id),
    price: offerPriceLine(offer),
    where,
    picture: offer.picture,
    about: aboutOffer(offer),
  };
}

/** Returns the texts that choose an offer's fallback drawing; payment offers (negative id) share one. */
export function aboutOffer(offer: { id: number; category: string | null; title: string }) {
  return offer.id < 0 ? ['pagamento'] : [offer.category, offer.title];
}

/** Returns the card of a product; `category` is a name, `seller` and those of `above` choose its drawing at last. */
export function productCard(
  product: ProductCard,
  links: Links,
  {
    where,
    category,
    seller,
    above = [],
  }: { where: string | null; category: string | null; seller: string; above?: string[] },
): CardView {
  return {
    title: product.title,
    url: links.product(product.id),
    price: product.price === null ? null : formatPrice(product.price),
    where,
    picture: product.picture,
    about: [category, product.title, ...above, seller],
  };
}

/** Returns merchant and district of a record, for a card. */
export function whereOf(
  merchant: string | null | undefined,
  store: Pick<Store, 'district'> | null | undefined,
): string | null {
  const parts = [merchant, store?.district].flatMap((part) => (part ? [cleanLine(part)] : []));
  return parts.length === 0 ? null : parts.join(' · ');
}

/** Cards in each section of the home page. */
const HOME_CARDS = 8;

/** Returns cards of recent offers for the home page, at most one per merchant. */
export function homeOffers({ latestOffers, links }: Site): CardView[] {
  const merchants = new Set(latestOffers.map(({ merchant }) => merchant?.id));
  return latestOffers.slice(0, Math.min(HOME_CARDS, merchants.size)).map((offer) => {
    const { id, aiCategory: category, picture, merchant, store } = offer;
    const card = { ...priced(offer), id, category, picture, merchantId: merchant?.id ?? null };
    return offerCard(card, links, whereOf(merchant?.name, store));
  });
}

/** Returns cards of products, evenly spaced in the showcase (which alternates merchants) so that merchants differ. */
export function homeProducts({ showcase, links, counts }: Site): CardView[] {
  const round = showcase.slice(0, Math.max(HOME_CARDS, counts.merchants));
  const step = Math.max(1, Math.floor(round.length / HOME_CARDS));
  const chosen = round.filter((_, index) => index % step === 0).slice(0, HOME_CARDS);
  return chosen.map(({ id, name, price, media, merchant, store, category }) => {
    const picture = media.find(({ type }) => type === 'image') ?? null;
    const about = {
      where: whereOf(merchant.name, store),
      category: category?.name ?? null,
      seller: merchant.name,
    };
    return productCard({ id, title: name, price, picture }, links, about);
  });
}
