import type { Money } from './catalog.ts';
import { cleanLine } from './escape.ts';
import { formatMoney } from './links.ts';

/** What a product's page says of its price; `before` and `percent` only where there is a true list price. */
export type ProductPrice = { now: string; before: string | null; percent: number | null };

/** Says a product's price: the list price is the only one that it may be compared with. */
export function productPrice(price: Money | null, listPrice: Money | null): ProductPrice {
  const percent = discountPercent(price, listPrice);
  return {
    now: formatPrice(price),
    before: percent === null || listPrice === null ? null : formatPrice(listPrice),
    percent,
  };
}

/** What an offer and its product say of prices. */
export type PricedOffer = {
  title: string;
  /** The offer's own price; null when it has none. */
  price: Money | null;
  /** The product that it is about, with its current price. */
  product: { name: string; price: Money | null } | null;
};

/**
 * What an offer's page may say of its price. The price of its product is never "before": the offer may be about more
 * than one of them, or about something beside it.
 */
export type OfferPrice = {
  /** What stands large: `2 por R$ 79,90`, `R$ 54,00`; null without a price of its own. */
  headline: string | null;
  /** What one costs where the headline is about several, or which one it is about. */
  detail: string | null;
  /** Both in one line; null without a price of its own. */
  line: string | null;
  /** The price of one of its product without the offer, with its unit. */
  usual: string | null;
  /** How many have to be taken for a price that is that of one; 1 where nothing says so. */
  quantity: number;
};

/** Says an offer's price as its title sells it. */
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
  // The unit of the product is that of the offer only where its title says so.
  const isPerUnit = unit !== null && line.toLowerCase().includes(unit);
  const headline = saysEach(line) ? each : isPerUnit ? `${one} ${unit}` : one;
  return { headline, detail: null, line: headline, usual, quantity: 1 };
}

/** The one line of an offer's price for a card and for lists in words; null when nothing is known. */
export function offerPriceLine(offer: PricedOffer): string | null {
  const { line, usual } = offerPrice(offer);
  return line ?? (usual === null ? null : `preço normal ${usual}`);
}

/** Money for people; "sob consulta" when there is no price. */
export function formatPrice(money: Money | null): string {
  return money === null ? 'Preço sob consulta' : formatMoney(money.amount, money.currency);
}

/** By how many whole percent a price lies below another; null when it does not. */
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

/** The total that a title names for several, where the price is that of one of them. */
function bundleOf(title: string, price: Money) {
  if (price.currency !== 'BRL') return null;
  for (const found of title.matchAll(AMOUNT)) {
    const [, whole = '', cents = '00'] = found;
    const amount = Number(whole.replaceAll('.', '')) * 100 + Number(cents);
    const before = title.slice(0, found.index);
    for (const [, word = '', kilos] of before.matchAll(COUNTED)) {
      const quantity = numberOf(word);
      // What one costs is rounded to the cent.
      if (quantity > 1 && Math.abs(price.amount * quantity - amount) < quantity) {
        return { quantity, amount, words: kilos === undefined ? `${quantity}` : `${quantity} kg` };
      }
    }
  }
  return null;
}

/** How many a title sells together: "Leve 3 e pague 2", "Caixa com 6 …", "4 pneus …"; null when it does not say. */
function countOf(title: string, product: string): { quantity: number; words: string } | null {
  const [, first, taken, kilos = ''] = TAKEN.exec(title) ?? [];
  const word = first ?? taken;
  if (word === undefined) return null;
  const quantity = numberOf(word);
  // "8 aulas de pilates" of a product that is eight of them are one.
  if (quantity < 2 || new RegExp(`(?<!\\d)${quantity}(?!\\d)`).test(product)) return null;
  return { quantity, words: `${quantity}${kilos}` };
}

const saysEach = (title: string) => /R\$ ?[\d.,]+ cada\b/i.test(title);

/** Whether a price is that of one of the product: below what one costs, and not by much. */
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

/** What a product's price is for, where its name says so: o quilo, a hora. */
function unitOf(product: string): string | null {
  return UNITS.find(([name]) => name.test(product))?.[1] ?? null;
}
