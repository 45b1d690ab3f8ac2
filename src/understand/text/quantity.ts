import { type Cut, type Piece, type UnitOfMeasure, unitAt, unitPer } from './units.ts';

/** Number words of Portuguese, English and Spanish: a half, and one to twelve. */
export const NUMBER_WORDS: ReadonlyMap<string, number> = new Map(
  [
    'meio meia medio media half',
    'um uma un una one',
    'dois duas dos two',
    'tres three',
    'quatro cuatro four',
    'cinco five',
    'seis six',
    'sete siete seven',
    'oito ocho eight',
    'nove nueve nine',
    'dez diez ten',
    'onze once eleven',
    'doze twelve',
  ].flatMap((words, number) =>
    words.split(' ').map((word) => [word, number === 0 ? 0.5 : number] as const),
  ),
);

/** Longer digit strings are codes, not numbers. */
const MAX_DIGITS = 9;

/** A number whose unit is not known yet; `next` is the index of the piece after it. */
export type Numeral = {
  value: number;
  /** The value if the point of "1.500" is decimal. */
  small: number;
  from: number;
  next: number;
};

/**
 * Reads the number that starts at a piece, with decimal comma or point and thousands separators: 2,0 is 2, 1.000 is
 * a thousand, 0.125 and 3,125 are decimals. Null if there is none.
 */
export function readNumeral(pieces: readonly Piece[], from: number): Numeral | null {
  const groups: string[] = [];
  let separators = '';
  let next = from;
  for (; groups.length < 4; next += 1) {
    const piece = pieces[next];
    if (!piece?.digits || piece.text.length > MAX_DIGITS) break;
    if (groups.length > 0 && piece.gap !== ',' && piece.gap !== '.') break;
    if (groups.length > 0) separators += piece.gap;
    groups.push(piece.text);
  }
  const [first = ''] = groups;
  if (first === '') return null;
  const last = groups[groups.length - 1] ?? '';
  const thousands = groups.slice(1, -1).every((group) => group.length === 3);
  const whole = Number(groups.join(''));
  const decimal = Number(`${groups.slice(0, -1).join('')}.${last}`);
  const alone = { value: Number(first), small: Number(first), from, next: from + 1 };
  if (groups.length === 1) return alone;
  if (!thousands) return alone;
  const uniform = separators === separators.charAt(0).repeat(separators.length);
  const grouped = last.length === 3 && uniform && first.length <= 3 && !first.startsWith('0');
  if (groups.length > 2) {
    if (grouped) return { value: whole, small: whole, from, next };
    return uniform ? alone : { value: decimal, small: decimal, from, next };
  }
  const value = grouped && separators === '.' ? whole : decimal;
  return { value, small: decimal, from, next };
}

const LEAST_HALF = 2;
const DENOMINATORS = new Set([2, 3, 4, 5, 8, 16, 32, 64]);

/** A fraction or mixed number: 3/4, 1.1/2, 1 1/2. */
export type Fraction = { over: number; under: number; from: number; next: number };

/** Reads the fraction that starts at a piece; null for dates, tyres and doses. */
export function readFraction(pieces: readonly Piece[], from: number): Fraction | null {
  const plain = readProper(pieces, from);
  if (plain) return plain;
  const [whole, over] = [pieces[from], pieces[from + 1]];
  if (!whole?.digits || whole.text.length > LEAST_HALF || !over || !/^[ .-]$/.test(over.gap)) {
    return null;
  }
  const rest = readProper(pieces, from + 1);
  return rest && { ...rest, over: Number(whole.text) * rest.under + rest.over, from };
}

function readProper(pieces: readonly Piece[], from: number): Fraction | null {
  const [over, under, behind] = [pieces[from], pieces[from + 1], pieces[from + 2]];
  if (!over?.digits || !under?.digits || (under.gap !== '/' && under.gap !== '\u2044')) return null;
  if (over.text.length > LEAST_HALF || under.text.length > LEAST_HALF) return null;
  if (behind?.digits && /^[,./]$/.test(behind.gap)) return null;
  const [a, b] = [Number(over.text), Number(under.text)];
  if (a < 1 || a >= b || !DENOMINATORS.has(b)) return null;
  return { over: a, under: b, from, next: from + 2 };
}

/** A number of a chain like "10mg+20mg", "12x350ml" or "110/220v". */
export type Link = {
  from: number;
  next: number;
  numeral: Numeral;
  unit: UnitOfMeasure | null;
  per: Per | null;
  /** The sign between it and the previous link: `x`, `+`, `/` or a dash. */
  joint: string;
};

/** The denominator of a dose: 5 ml of 500 mg/5 ml; `shared` by all numbers in brackets before it. */
export type Per = { base: string; amount: number; counted: boolean; shared: boolean };

const MAX_LINKS = 12;
/** Units that a dose per volume, weight or hour may have. */
const DOSED = new Set(['mg', 'ui', 'meq', 'mmol', 'ml']);

/** Returns 0.5 for "and a half" after the unit ("dois litros e meio"), else 0. */
export function halfAt(pieces: readonly Piece[], position: number): number {
  const half = pieces[position]?.text === 'e' && /^mei[oa]$/.test(pieces[position + 1]?.text ?? '');
  return half ? 0.5 : 0;
}

/** Reads a chain of numbers joined by signs, with their units. */
export function linksFrom(cut: Cut, position: number): Link[] {
  const links: Link[] = [];
  let from = position;
  let joint = '';
  while (links.length < MAX_LINKS) {
    const link = readLink(cut, from, joint);
    if (!link) break;
    links.push(link);
    const next = jointAt(cut.pieces, link.next);
    if (!next) break;
    from = next.at;
    joint = next.joint;
  }
  shareUnits(links);
  return links;
}

// A unit applies to the numbers before it, but not to multipliers: (40 + 5) mg, 30x40cm, 6x2l.
function shareUnits(links: readonly Link[]): void {
  for (let at = links.length - 2; at >= 0; at -= 1) {
    const [link, next] = [links[at], links[at + 1]];
    if (!link || !next?.unit) continue;
    if (next.per?.shared) link.per ??= next.per;
    if (link.unit) continue;
    if (next.joint === 'x' && next.unit.base !== 'mm' && next.unit.base !== 'in') continue;
    link.unit = next.unit;
    link.per = next.per;
  }
}

function readLink(cut: Cut, from: number, joint: string): Link | null {
  const numeral = readNumeral(cut.pieces, from);
  if (!numeral) return null;
  const unit = unitAt(cut, numeral.next);
  const link = { from, next: numeral.next, numeral, unit: null, per: null, joint };
  if (!unit || isCans(cut, unit.next)) return link;
  const half = halfAt(cut.pieces, unit.next);
  if (half > 0) {
    const more = { ...numeral, value: numeral.value + half, small: numeral.small + half };
    return { ...link, next: unit.next + 2, numeral: more, unit: unit.of };
  }
  const per = perAt(cut.pieces, unit.of, unit.next);
  return { ...link, next: per?.next ?? unit.next, unit: unit.of, per };
}

// "12 LT 350ML": LT is "lata" (can), not litres.
function isCans(cut: Cut, next: number): boolean {
  if (!/^lts?$/.test(cut.pieces[next - 1]?.text ?? '')) return false;
  const numeral = readNumeral(cut.pieces, next);
  return numeral !== null && unitAt(cut, numeral.next)?.of.base === 'ml';
}

// mg/ml, mg/5 ml, mcg/dose; but 8gb/256gb are two measures.
function perAt(
  pieces: readonly Piece[],
  unit: UnitOfMeasure,
  position: number,
): (Per & { next: number }) | null {
  const piece = pieces[position];
  const gap = piece?.gap.replace(/\s/g, '');
  if ((gap !== '/' && gap !== ')/') || !DOSED.has(unit.base)) return null;
  const numeral = readNumeral(pieces, position);
  const next = numeral?.next ?? position;
  const named = pieces[next];
  if (!named || (numeral && named.gap.trim() !== '')) return null;
  const per = unitPer(named.text);
  if (!per || (numeral && (per.base === 'g' || numeral.value === 0))) return null;
  const amount = per.times * (numeral?.value ?? 1);
  return {
    base: per.base,
    amount,
    counted: numeral !== null,
    shared: gap === ')/',
    next: next + 1,
  };
}

function jointAt(pieces: readonly Piece[], position: number): { at: number; joint: string } | null {
  const [piece, behind] = [pieces[position], pieces[position + 1]];
  if (piece?.text === 'x' && behind?.digits && behind.gap.trim() === '') {
    return { at: position + 1, joint: 'x' };
  }
  if (!piece?.digits) return null;
  const gap = piece.gap.replace(/['\u2032\u2033()\s]/g, '');
  if (gap === '×' || gap === '*') return { at: position, joint: 'x' };
  return /^[+/~–-]$/.test(gap) ? { at: position, joint: gap } : null;
}
