import {
  halfAt,
  type Link,
  linksFrom,
  NUMBER_WORDS,
  readFraction,
  readNumeral,
} from './quantity.ts';
import type { Unit } from './tokenize.ts';
import { type Cut, HIGH, isWithin, type Piece, piecesOf, tokenOf, unitAt, write } from './units.ts';

/** A quantity in a text, with a normalised token. */
export type Measure = {
  /** Positions of its units, ascending. */
  at: number[];
  /** `m:2000ml`, `m:500mg`, `m:50mg/ml`, `m:6un`, `m:32in`, `m:3/4`, `m:r13`, `m:110v`, `m:40x60`. */
  token: string;
  /** Part of a larger measure at the same positions: the 500 mg of 500 mg/5 ml. */
  part: boolean;
};

/**
 * Finds the measures of a text, in order; works before or after `expandShorthand`. An index takes every token, besides
 * the words and the numbers of `numbersIn`. A query takes the measures that are no `part` in place of the words at
 * their positions; parts and numbers there are weaker matches (the title "PARACETAMOL 500" for "paracetamol 500 mg").
 * A number without a unit is no measure; it matches by `numbersIn`, whatever unit a record has.
 */
export function measuresIn(units: readonly Unit[]): Measure[] {
  if (!units.some(({ text }) => mayMeasure(text))) return [];
  const cut = { pieces: piecesOf(units), end: units[units.length - 1]?.after ?? '' };
  const found: Measure[] = [];
  let position = 0;
  while (position < cut.pieces.length) {
    position =
      readNamed(cut, position, found) ??
      readWheel(cut, position, found) ??
      readFractional(cut, position, found) ??
      readChain(cut, position, found) ??
      position + 1;
  }
  return found;
}

/**
 * Finds the numbers of a text as word tokens, `w:500` or `w:12.5`, including those joined to a unit of measure, so that
 * "paracetamol 500" finds "500MG", and "12,5" is one number although it is two units.
 */
export function numbersIn(units: readonly Unit[]): Measure[] {
  if (!units.some(({ text }) => DIGIT.test(text))) return [];
  const pieces = piecesOf(units);
  const found: Measure[] = [];
  let position = 0;
  while (position < pieces.length) {
    const numeral = isNumberStart(pieces, position) ? readNumeral(pieces, position) : null;
    if (numeral) add(found, pieces, position, numeral.next, `w:${write(numeral.value)}`);
    position = numeral?.next ?? position + 1;
  }
  return found;
}

const DIGIT = /\d/;
const HALF = 0.5;
const DOZEN = /^du[sz]ias?$/;
/** Before a bare number these give the contents of a package; `c` and `com` only with a slash: c/12. */
const PACK = new Set(['c', 'com', 'pack']);

const mayMeasure = (text: string) =>
  DIGIT.test(text) || NUMBER_WORDS.has(text) || text === 'bivolt' || DOZEN.test(text);

// "A54" and "5W30" are names, but digits after an x or r are numbers: 6x2l, 70r13.
function isNumberStart(pieces: readonly Piece[], position: number): boolean {
  const [before, piece] = [pieces[position - 1], pieces[position]];
  if (!piece?.digits) return false;
  return piece.gap !== '' || !before || before.at !== piece.at || /^[xr]$/.test(before.text);
}

// Quantities that start with a word: bivolt, dúzia, c/12, dois litros.
function readNamed(cut: Cut, position: number, found: Measure[]): number | null {
  const [piece, behind] = cut.pieces.slice(position, position + 2);
  if (!piece || piece.digits) return null;
  if (piece.text === 'bivolt') {
    addBivolt(found, cut.pieces, position, position + 1);
    return position + 1;
  }
  if (DOZEN.test(piece.text)) {
    add(found, cut.pieces, position, position + 1, 'm:12un');
    return position + 1;
  }
  if (behind?.digits && PACK.has(piece.text)) {
    const numeral = readNumeral(cut.pieces, position + 1);
    const isPack = behind.gap.trim() === (piece.text === 'pack' ? '' : '/');
    if (!numeral || !isPack || unitAt(cut, numeral.next)) return null;
    add(found, cut.pieces, position, numeral.next, `m:${write(numeral.value)}un`);
    return numeral.next;
  }
  return readSaid(cut, position, found);
}

function readSaid(cut: Cut, position: number, found: Measure[]): number | null {
  const said = NUMBER_WORDS.get(cut.pieces[position]?.text ?? '');
  if (said === undefined) return null;
  const article = said === HALF && /^(a|an|de)$/.test(cut.pieces[position + 1]?.text ?? '') ? 1 : 0;
  const unit = unitAt(cut, position + 1 + article);
  // "One piece" is a swimsuit.
  if (!unit?.of.said || (unit.of.base === 'un' && said === 1 && unit.of.times === 1)) return null;
  const half = halfAt(cut.pieces, unit.next);
  const value = said + half;
  const next = unit.next + (half > 0 ? 2 : 0);
  add(found, cut.pieces, position, next, tokenOf({ value, small: value }, unit.of));
  return next;
}

// aro 13, R13, 175/70R13, 175/70 R 13, 175 70 13
function readWheel({ pieces }: Cut, position: number, found: Measure[]): number | null {
  const [first, second, third] = pieces.slice(position, position + 3);
  if (!first?.digits) {
    if (first?.text !== 'aro' && (first?.text !== 'r' || second?.gap !== '')) return null;
    return readRim(pieces, position, position + 1, found);
  }
  if (!second?.digits || !/^[/ -]$/.test(second.gap)) return null;
  if (!isBetween(first.text, 125, 355) || !isBetween(second.text, 25, 90)) return null;
  const lettered = third !== undefined && /^(r|zr|aro)$/.test(third.text);
  if (!lettered && !/^[/ -]$/.test(third?.gap ?? '')) return null;
  const rim: Measure[] = [];
  const next = readRim(pieces, position + 2, position + (lettered ? 3 : 2), rim);
  if (next === null) return null;
  add(found, pieces, position, position + 2, `m:${first.text}/${second.text}`);
  found.push(...rim);
  return next;
}

function readRim(pieces: readonly Piece[], from: number, at: number, found: Measure[]) {
  const rim = readNumeral(pieces, at);
  if (!rim || rim.value < 10 || rim.value > 30) return null;
  add(found, pieces, from, rim.next, `m:r${write(rim.value)}`);
  return rim.next;
}

const isBetween = (text: string, least: number, most: number) =>
  text.length <= 3 && Number(text) >= least && Number(text) <= most;

// 3/4, 1/2", 1.1/2 pol, 1/2 kg
function readFractional(cut: Cut, position: number, found: Measure[]): number | null {
  const fraction = isNumberStart(cut.pieces, position) ? readFraction(cut.pieces, position) : null;
  if (!fraction) return null;
  const unit = unitAt(cut, fraction.next);
  // "1/5 mg" is two doses, and volts have no fractions: leave both to `readChain`.
  if (unit && (unit.of.base === 'v' || (unit.of.base === 'mg' && unit.of.times <= 1))) return null;
  const value = fraction.over / fraction.under;
  const isPlain = !unit || unit.of.base === 'in';
  const plain = `m:${fraction.over}/${fraction.under}`;
  const token = isPlain ? plain : tokenOf({ value, small: value }, unit.of);
  const next = unit?.next ?? fraction.next;
  add(found, cut.pieces, position, next, token);
  return next;
}

function readChain(cut: Cut, position: number, found: Measure[]): number | null {
  const links = isNumberStart(cut.pieces, position) ? linksFrom(cut, position) : [];
  const [first, last] = [links[0], links[links.length - 1]];
  if (!first || !last) return null;
  if (isBivolt(links)) {
    addBivolt(found, cut.pieces, position, last.next);
    return last.next;
  }
  const isSized = links.length > 1 && links.slice(1).every((link) => link.joint === 'x');
  const isLong = links.every(({ unit }) => !unit || unit.base === 'mm' || unit.base === 'in');
  if (isSized && isLong) {
    const sides = links.map(({ numeral }) => write(numeral.value)).join('x');
    add(found, cut.pieces, position, last.next, `m:${sides}`);
    // With metres the first number may be a count of rolls: 12X30M.
    if (last.unit?.times === METRE) {
      add(found, cut.pieces, position, first.next, `m:${write(first.numeral.value)}un`, true);
    }
  }
  for (const [at, link] of links.entries()) {
    const counts = !link.unit && !isLong && links[at + 1]?.joint === 'x';
    if (counts) add(found, cut.pieces, link.from, link.next, `m:${write(link.numeral.value)}un`);
    addLink(found, cut.pieces, link, isSized && isLong);
  }
  return last.next;
}

const METRE = 1000;
/** Dual-voltage appliances may say 100 volts. */
const LOW_OF_TWO = { least: 100, most: 127 };

function isBivolt([low, high, more]: readonly Link[]): boolean {
  if (!low || !high || more || high.joint === 'x' || high.joint === '+') return false;
  const isVoltage = high.unit ? high.unit.base === 'v' : low.numeral.value >= 110;
  return isVoltage && isWithin(low.numeral.value, LOW_OF_TWO) && isWithin(high.numeral.value, HIGH);
}

function addBivolt(found: Measure[], pieces: readonly Piece[], from: number, next: number): void {
  add(found, pieces, from, next, 'm:bivolt');
  for (const volts of ['m:110v', 'm:220v']) add(found, pieces, from, next, volts, true);
}

function addLink(found: Measure[], pieces: readonly Piece[], link: Link, part: boolean): void {
  const { from, next, numeral, unit, per } = link;
  if (!unit) return;
  if (per) {
    const ratio = (numeral.value * unit.times) / per.amount;
    add(found, pieces, from, next, `m:${write(ratio)}${unit.base}/${per.base}`);
    if (per.counted) add(found, pieces, from, next, `m:${write(per.amount)}${per.base}`, true);
  }
  add(found, pieces, from, next, tokenOf(numeral, unit), part || per !== null);
}

function add(
  found: Measure[],
  pieces: readonly Piece[],
  from: number,
  next: number,
  token: string,
  part = false,
): void {
  const at = new Set(pieces.slice(from, next).map((piece) => piece.at));
  found.push({ at: [...at], token, part });
}

/** Returns the `x:` token of a number of several units as written ("80,00"); null for a single unit. */
export function numberAsWritten(units: readonly Unit[], at: readonly number[]): string | null {
  const text = at
    .map((position, index) => {
      const unit = units[position];
      return `${unit?.text ?? ''}${index < at.length - 1 ? unit?.after : ''}`;
    })
    .join('');
  return at.length > 1 ? `x:${text}` : null;
}
