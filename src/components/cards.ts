import type { Media, Store } from '../domain/catalog.ts';
import { cleanLine } from '../domain/escape.ts';
import type { Links } from '../domain/links.ts';
import { formatPrice, offerPriceLine } from '../domain/price.ts';
import type { OfferCard, ProductCard } from '../publish/site.ts';

/** What a card shows: a record of the catalog or a place to go. */
export type CardView = {
  title: string;
  url: string;
  price: string | null;
  /** Store or merchant and district. */
  where: string | null;
  picture: Media | null;
  /** Texts whose words choose a drawing where there is no picture, the surest first. */
  about: (string | null)[];
};

/** The card of an offer; `where` as `whereOf` says it. */
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

/** What chooses the drawing of an offer; payment offers are all of one kind. */
export function aboutOffer(offer: { id: number; category: string | null; title: string }) {
  return offer.id < 0 ? ['pagamento'] : [offer.category, offer.title];
}

/** The card of a product; `category` by its name. */
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

/** Whose a record is and where: the merchant, and the district of a store of it. */
export function whereOf(
  merchant: string | null | undefined,
  store: Pick<Store, 'district'> | null | undefined,
): string | null {
  const parts = [merchant, store?.district].flatMap((part) => (part ? [cleanLine(part)] : []));
  return parts.length === 0 ? null : parts.join(' · ');
}
