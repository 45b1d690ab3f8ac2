import type { Media, Store } from '../domain/catalog.ts';
import { cleanLine } from '../domain/escape.ts';
import type { Links } from '../domain/links.ts';
import { formatPrice, offerPriceLine } from '../domain/price.ts';
import type { OfferCard, ProductCard } from '../publish/site.ts';

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

/** Returns the card of a product; `category` is a name. */
export function productCard(
  product: ProductCard,
  links: Links,
  { where, category }: { where: string | null; category: string | null },
): CardView {
  return {
    title: product.title,
    url: links.product(product.id),
    price: product.price === null ? null : formatPrice(product.price),
    where,
    picture: product.picture,
    about: [category, product.title],
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
