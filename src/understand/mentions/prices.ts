import { lower } from '../text/text.ts';
import type { NamedPrice } from '../types.ts';

const MAX_CHARS = 1024;
/** Smaller bare numbers are ages or counts, not prices. */
const LEAST_BARE = 20;
/** Characters searched for limit words on either side of an amount. */
const REACH = 32;

const anyOf = (words: string) => `(?:${words.trim().split(/,\s+/).join('|')})`;

const SIGN = anyOf('r\\$, us\\$, u\\$s, brl, usd, eur, rs, [$€£¥₽₹₩₴]');
const TIMES = anyOf('mil, k, thousand, tausend, mille, mila, тыс\\p{L}{0,4}');
const CURRENCY = anyOf(`
  reais, reales, reals, réaux, réals, brl, real, реал\\p{L}{0,3}, reali, realów, reálů, dólares, dolares,
  dólar, dollars?, bucks, euros?, usd, eur, доллар\\p{L}{0,3}, евро, руб\\p{L}{0,4}, грн, ريال, ريالات,
  دولار, يورو, ریال, ריאל, रियाल, रियल, रुपये, डॉलर, lei, zł, złotych, lira, tl, kr, đồng, rupiah`);
const CURRENCY_JOINED = anyOf(
  'r\\$, [$€£¥₽₹₩₴], ブラジルレアル, レアル, 円, ドル, ユーロ, 巴西雷亚尔, 雷亚尔, 雷亞爾, 元, 块, 塊, 美元, 欧元, 歐元, 헤알, 원, 달러, 유로, บาท, เรียล',
);
const REAL =
  /^(?:r\$|brl|rs|rea\p{L}{1,3}|réau?ls?|réaux|reál\p{L}|реал|ريال|ریال|ריאל|रिय|.*レアル|.*雷亚尔|雷亞爾|헤알|เรียล)/u;

/** An amount with its currency on either side. */
const AMOUNT = new RegExp(
  `(?<![\\p{Script=Latin}\\p{N}.,/])(?:(${SIGN})\\.?\\s?)?` +
    `(\\d{1,9}(?:[.,]\\d{1,3}){0,3})(?![\\p{N}/])(?:\\s?(${TIMES}(?!\\p{L})|[万만千천]))?` +
    `(?:\\s?(${CURRENCY}(?![\\p{L}\\p{M}])|${CURRENCY_JOINED}))?`,
  'gu',
);

/** Before a number these mean a price even without a currency. */
const UP_TO_BARE =
  anyOf(`até, ate, abaixo de, menos (?:de|que), under, below, less than, cheaper than,
  up to, hasta, por debajo de, moins de, jusqu.[àa], meno di, fino a, bis, unter, weniger als, onder,
  minder dan, poniżej, mniej niż, до, дешевле, не дороже, не более, меньше, дешевше, менше, 不超过,
  低于, 不到, حتى, أقل من, تحت, dưới, ต่ำกว่า, ไม่เกิน, di bawah, kurang dari, kurang daripada, fins a,
  menys de, alla, kuni, vähem kui, ispod, manje od, manj kot, manj od, pod, menej ako, lacnejšie ako, iki,
  mažiau nei, mažiau kaip, līdz, zem, mazāk par, mazāk nekā, под, по-малко от, испод, мање од, hadi, chini ya,
  hanggang, mababa sa, opp til, opptil, mindre enn, billigere enn`);
const UP_TO =
  anyOf(`${UP_TO_BARE}, (?:no |como )?m[áa]ximo(?: de)?, max\\.?, at most, no more than, within,
  maximum(?: de)?, inferior a, no más de, pas plus de, massimo, sotto(?: i)?, höchstens, maximal, tot,
  maximaal, upp till, högst, op til, do, maksymalnie, en fazla, maksimal, עד, מתחת ל, tối đa, không quá`);
const FROM =
  anyOf(`a partir de, acima de, mais (?:de|que), no m[íi]nimo, over, above, more than, at least,
  más de, desde, plus de, à partir de, ab, über, mehr als, mindestens, oltre, più di, vanaf, от, дороже`);
const BETWEEN = anyOf(
  'entre, between, de, from, von, zwischen, от, desde, tra, da, mellem, mellan, między, od, tussen',
);
const AND =
  /^\s?(?:e|a|and|to|y|und|bis|et|à|al|i|до|и|tot|en|och|og|až|-|–|—|~|～|から|到|에서)\s?$/u;

const before = (words: string) =>
  new RegExp(`(?<![\\p{Script=Latin}\\p{N}])(?:(?:por|for|de) )?${words}\\s?$`, 'u');
const BEFORE = {
  bare: before(UP_TO_BARE),
  max: before(UP_TO),
  min: before(FROM),
  between: before(BETWEEN),
};
const AFTER = {
  bare: /^\s?(?:以下|以内|以內|未満|未滿|之内|之內|이하|미만|이내)/u,
  max: /^\s?(?:以下|以内|以內|未満|未滿|之内|之內|まで|이하|미만|이내|까지|से कम|के अंदर|तक|(?:['’]?[ea] )?kadar|altı(?:nda)?|o[ur]? (?:menos|less|under|moins)|oder weniger|no máximo|tops|max(?:imum|imal)?(?!\p{L}))/u,
  min: /^\s?(?:以上|이상|से ज्यादा|o[ur] (?:mais|more)(?!\p{L}))/u,
};
/** What may follow a bare price: "até 300 litros" is no price. */
const CLAUSE_END =
  /^\s*(?:$|[,;.!?)–-]|(?:em|no|na|in|at|near|en|para|for|pra|pour|für|com|with|con|avec|mit|perto|cerca|на|в|для)(?!\p{L}))/u;

type Amount = { from: number; to: number; value: number; currency: string };
type Priced = { from: number; to: number; price: NamedPrice };

/**
 * Extracts the price that a query mentions: an amount of money with its limit words, or a bare number after such
 * words. Model numbers and sizes stay. Returns the rest lower-cased.
 */
export function extractPrice(query: string): { rest: string; price: NamedPrice | null } {
  const text = lower(query.slice(0, MAX_CHARS));
  const priced = /\d/.test(text) ? findPrice(text) : null;
  if (priced === null) return { rest: text, price: null };
  return { rest: `${text.slice(0, priced.from)} ${text.slice(priced.to)}`, price: priced.price };
}

function findPrice(text: string): Priced | null {
  const amounts = [...text.matchAll(AMOUNT)].map(readAmount);
  for (const [at, amount] of amounts.entries()) {
    const next = amounts[at + 1];
    const priced = (next && readRange(text, amount, next)) ?? readLimit(text, amount);
    if (priced !== null) return priced;
  }
  return null;
}

function readAmount({
  index,
  0: all,
  1: sign,
  2: digits = '',
  3: times,
  4: unit,
}: RegExpExecArray): Amount {
  const currency = sign ?? unit ?? '';
  return { from: index, to: index + all.length, value: amountOf(digits, times), currency };
}

/** Parses either decimal separator (1.500,00 = 1,500.00); a last group of three digits is thousands. */
function amountOf(digits: string, times: string | undefined): number {
  const [, whole = digits, cents] = /^(.*)[.,](\d{1,2})$/.exec(digits) ?? [];
  const value = Number(`${whole.replace(/[.,]/g, '')}.${cents ?? 0}`);
  if (times === undefined) return value;
  return value * (/[万만]/.test(times) ? 10_000 : 1000);
}

function readRange(text: string, first: Amount, last: Amount): Priced | null {
  const currency = last.currency || first.currency;
  const lead = sizeOf(BEFORE.between, textBefore(text, first.from));
  const joined = AND.test(text.slice(first.to, last.from));
  if (!joined || currency === '' || (lead === 0 && first.currency === '')) return null;
  const [min, max] = [first.value, last.value].sort((a, b) => a - b) as [number, number];
  const price = { min, max, isForeign: isForeign(currency) };
  return { from: first.from - lead, to: last.to, price };
}

function readLimit(text: string, amount: Amount): Priced | null {
  const { from, to, value, currency } = amount;
  const lead = textBefore(text, from);
  const rest = text.slice(to, to + REACH);
  if (currency === '' && !isBarePrice(text, amount)) return null;
  const upTo = limitBy(BEFORE.max, AFTER.max, lead, rest);
  const atLeast = upTo === null ? limitBy(BEFORE.min, AFTER.min, lead, rest) : null;
  const limit = upTo ?? atLeast;
  // "2024 Real Madrid", "Audi RS 3": no currency unless a limit word is beside it.
  const doubtful = currency === 'real' || (currency === 'rs' && value < LEAST_BARE);
  if (doubtful && limit === null) return null;
  return {
    from: from - (limit?.before ?? 0),
    to: to + (limit?.after ?? 0),
    price: {
      min: atLeast && value,
      max: upTo && value,
      isForeign: isForeign(currency),
    },
  };
}

/** Returns the lengths of the limit words before and after an amount; null if there are none. */
function limitBy(before: RegExp, after: RegExp, lead: string, rest: string) {
  const sizes = { before: sizeOf(before, lead), after: sizeOf(after, rest) };
  return sizes.before + sizes.after > 0 ? sizes : null;
}

/** Returns whether a number without a currency is a price: beside a limit word, at the end of its clause. */
function isBarePrice(text: string, { from, to, value }: Amount): boolean {
  if (value < LEAST_BARE) return false;
  const rest = text.slice(to, to + REACH);
  return (
    AFTER.bare.test(rest) || (BEFORE.bare.test(textBefore(text, from)) && CLAUSE_END.test(rest))
  );
}

const textBefore = (text: string, at: number) => text.slice(Math.max(0, at - REACH), at);
const sizeOf = (pattern: RegExp, text: string) => pattern.exec(text)?.[0].length ?? 0;
const isForeign = (currency: string) => currency !== '' && !REAL.test(currency);
