import type { Money, Offer } from './catalog.ts';
import { cleanLine } from './escape.ts';
import { formatMoney } from './links.ts';

/** The price texts of a product page; `before` and `percent` only with a list price above the price. */
export type ProductPrice = { now: string; before: string | null; percent: number | null };

/** Formats a product's price; the list price is the only one that it may be compared with. */
export function productPrice(price: Money | null, listPrice: Money | null): ProductPrice {
  const percent = discountPercent(price, listPrice);
  return {
    now: formatPrice(price),
    before: percent === null || listPrice === null ? null : formatPrice(listPrice),
    percent,
  };
}

/** The parts of an offer and its product that bear on the price. */
export type PricedOffer = {
  title: string;
  /** null when the offer has no price of its own. */
  price: Money | null;
  /** The offer's product with its current price. */
  product: { name: string; price: Money | null } | null;
};

/**
 * The price texts of an offer. The product's price is never shown as "before": the offer may be for several units,
 * or for something sold with the product.
 */
export type OfferPrice = {
  /** The prominent text: `2 por R$ 79,90`, `R$ 54,00`; null without a price of its own. */
  headline: string | null;
  /** The unit price when the headline is for several, or which unit the price applies to. */
  detail: string | null;
  /** Headline and detail on one line; null without a price of its own. */
  line: string | null;
  /** The product's price without the offer, with its unit. */
  usual: string | null;
  /** How many units have to be bought for `price`, which is the price of one; 1 unless the title says otherwise. */
  quantity: number;
};

/** Formats an offer's price the way its title states it. */
export function offerPrice({ title, price, product }: PricedOffer): OfferPrice {
  const line = cleanLine(title);
  const unit = product === null ? null : unitOf(product.name);
  const usualPrice = product?.price ?? null;
  const usual =
    usualPrice === null
      ? null
      : [formatPrice(usualPrice), unit].filter((part) => part !== null).join(' ');
  if (price === null) return { headline: null, detail: null, line: null, usual, quantity: 1 };
  const one = formatPrice(price);
  const each = `${one} ${unit ?? 'cada'}`;
  const bundle = bundleOf(line, price);
  if (bundle !== null) {
    const total = formatPrice({ ...price, amount: bundle.amount });
    const headline = `${bundle.words} por ${total}`;
    return { headline, detail: each, line: headline, usual, quantity: bundle.quantity };
  }
  const second = /\bsegund[oa]\b.*?(\d{1,2}) ?%/i.exec(line);
  if (second !== null && isShare(price, usualPrice, 1 - Number(second[1]) / 100)) {
    const detail = 'a segunda unidade';
    return { headline: one, detail, line: `${one} ${detail}`, usual, quantity: 2 };
  }
  const taken = product === null ? null : countOf(line, product.name);
  if (taken !== null && isPriceOfOne(price, usualPrice)) {
    const detail = `levando ${taken.words}`;
    const { quantity } = taken;
    return { headline: each, detail, line: `${each}, ${detail}`, usual, quantity };
  }
  // The product's unit applies to the offer only if the offer's title names it.
  const isPerUnit = unit !== null && line.toLowerCase().includes(unit);
  const headline = saysEach(line) ? each : isPerUnit ? `${one} ${unit}` : one;
  return { headline, detail: null, line: headline, usual, quantity: 1 };
}

/** Picks the parts of an offer that bear on its price. */
export function priced(offer: Offered): PricedOffer {
  const { title, price, hasOwnPrice, product, productPrice } = offer;
  return {
    title,
    price: hasOwnPrice ? price : null,
    product: product === null ? null : { name: product.name, price: productPrice },
  };
}

type Offered = Pick<Offer, 'title' | 'price' | 'hasOwnPrice' | 'product' | 'productPrice'>;

/** Returns the price line for cards and text lists; null when no price is known. */
export function offerPriceLine(offer: PricedOffer): string | null {
  const { line, usual } = offerPrice(offer);
  return line ?? (usual === null ? null : `preço normal ${usual}`);
}

/** Formats money; "Preço sob consulta" without a price. */
export function formatPrice(money: Money | null): string {
  return money === null ? 'Preço sob consulta' : formatMoney(money.amount, money.currency);
}

/** Returns the discount in whole percent, rounded down; null when there is none. */
export function discountPercent(price: Money | null, before: Money | null): number | null {
  if (price === null || before === null || price.currency !== before.currency) return null;
  if (price.amount >= before.amount) return null;
  const percent = Math.floor((1 - price.amount / before.amount) * 100);
  return percent > 0 ? percent : null;
}

const NUMBERS = ['dois', 'três', 'quatro', 'cinco', 'seis', 'sete', 'oito', 'nove', 'dez'];
const FORMS: Record<string, number> = { duas: 2, tres: 3, doze: 12, quinze: 15, vinte: 20 };
const COUNT = `\\d{1,3}|${[...NUMBERS, ...Object.keys(FORMS)].join('|')}`;
const COUNTED = new RegExp(`(?<![\\p{L}\\d])(${COUNT})(?![\\p{L}\\d])( kg\\b| quilos\\b)?`, 'giu');
const TAKEN = new RegExp(
  `(?:(?:^|: )(?:pacote de |caixa com |fardo de |kit com |família de )?(${COUNT})|\\bleve (${COUNT}))(?![\\p{L}\\d,.%°º])( kg)?`,
  'iu',
);
const AMOUNT = /R\$ ?(\d{1,3}(?:\.\d{3})+|\d{1,7})(?:,(\d\d))?/g;

function numberOf(word: string): number {
  const lower = word.toLowerCase();
  const at = NUMBERS.indexOf(lower);
  return at >= 0 ? at + 2 : (FORMS[lower] ?? Number(lower));
}

/** Finds the bundle total that a title names, when the price is that of one unit. */
function bundleOf(title: string, price: Money) {
  if (price.currency !== 'BRL') return null;
  for (const found of title.matchAll(AMOUNT)) {
    const [, whole = '', cents = '00'] = found;
    const amount = Number(whole.replaceAll('.', '')) * 100 + Number(cents);
    const before = title.slice(0, found.index);
    for (const [, word = '', kilos] of before.matchAll(COUNTED)) {
      const quantity = numberOf(word);
      // Unit prices are rounded to the cent.
      if (quantity > 1 && Math.abs(price.amount * quantity - amount) < quantity) {
        return { quantity, amount, words: kilos === undefined ? `${quantity}` : `${quantity} kg` };
      }
    }
  }
  return null;
}

/**
 * Finds how many units a title sells together ("Leve 3 e pague 2", "Caixa com 6 …", "4 pneus …"); null if it does
 * not say.
 */
function countOf(title: string, product: string): { quantity: number; words: string } | null {
  const [, first, taken, kilos = ''] = TAKEN.exec(title) ?? [];
  const word = first ?? taken;
  if (word === undefined) return null;
  const quantity = numberOf(word);
  // "8 aulas de pilates" is one unit of a product that itself consists of eight.
  if (quantity < 2 || new RegExp(`(?<!\\d)${quantity}(?!\\d)`).test(product)) return null;
  return { quantity, words: `${quantity}${kilos}` };
}

const saysEach = (title: string) => /R\$ ?[\d.,]+ cada\b/i.test(title);

/** Tells whether a price is plausibly that of one unit: at most the usual price, and above half of it. */
function isPriceOfOne(price: Money, usual: Money | null): boolean {
  if (usual === null || usual.currency !== price.currency) return false;
  return price.amount <= usual.amount && price.amount > usual.amount * 0.5;
}

function isShare(price: Money, usual: Money | null, share: number): boolean {
  if (usual === null || usual.currency !== price.currency) return false;
  return Math.abs(price.amount - usual.amount * share) <= Math.max(5, usual.amount * 0.01);
}

const UNITS: [RegExp, string][] = [
  [/\((?:kg|quilo)\)|\bpor quilo\b|\bo quilo\b/i, 'o quilo'],
  [/\((?:m²|m2)\)/i, 'o metro quadrado'],
  [/\((?:m|metro)\)/i, 'o metro'],
  [/\((?:l|litro)\)/i, 'o litro'],
  [/\(dose\)/i, 'a dose'],
  [/\(hora\)/i, 'a hora'],
  [/\(mês\)|\bmensal\b/i, 'por mês'],
  [/\bpor pessoa\b/i, 'por pessoa'],
];

/** Finds the unit that a product's name states: o quilo, a hora. */
function unitOf(product: string): string | null {
  return UNITS.find(([name]) => name.test(product))?.[1] ?? null;
}
