import { tokenize, type Unit } from './tokenize.ts';

/** Where a short form counts; all of what is set has to hold. */
type Condition = {
  /** In queries and sentences too: nobody takes it for a word. Else only where all is written in capitals. */
  any?: true;
  /** In the presentation of a medicine, or anywhere else. */
  rx?: true;
  retail?: true;
  first?: true;
  inner?: true;
  /** Not right behind a number, unless another follows: 2 LT are litres, 12 LT 350ML cans. */
  notnumber?: true;
  /** Right before a number: COLA PET 2L. */
  number?: true;
  /** Behind a dose and before what else a presentation says: 500 MG COM CT. */
  dose?: true;
};

/** One line of `lexicon/shorthand.tsv`. */
export type ShortForm = {
  /** Folded words; a slash is kept: `s/`, `a/c`. */
  words: string[];
  /** What it stands for; empty when it stands for nothing but a package. */
  meant: Unit[];
  pack: boolean;
  when: Condition;
};

/** The short forms by their first word, the longest first, else in the order of the file. */
export type Shorthand = ReadonlyMap<string, ShortForm[]>;

const FLAGS = new Set(['any', 'rx', 'retail', 'first', 'inner', 'notnumber', 'number', 'dose']);

/** Reads `shorthand.tsv`; throws on a condition that there is none of. */
export function readShorthand(text: string): Shorthand {
  const forms = new Map<string, ShortForm[]>();
  for (const line of text.split('\n')) {
    const [form = '', meant = '', when = ''] = line.split('\t');
    if (form === '' || form.startsWith('#')) continue;
    const flags = when.split(' ').filter((flag) => flag !== '' && flag !== 'pack');
    const unknown = flags.find((flag) => !FLAGS.has(flag));
    if (unknown !== undefined) throw new Error(`shorthand.tsv: ${form}: no condition ${unknown}`);
    const words = form.match(/[^ /]+\/?/g) ?? [];
    const first = words[0] ?? '';
    const known = forms.get(first) ?? [];
    known.push({
      words,
      meant: tokenize(meant),
      pack: /\bpack\b/.test(when),
      when: Object.fromEntries(flags.map((flag) => [flag, true])),
    });
    forms.set(first, known);
  }
  for (const known of forms.values()) known.sort((a, b) => b.words.length - a.words.length);
  return forms;
}

/** How a text is read: a sentence only takes what nobody would take for a word. */
type Setting = { units: readonly Unit[]; shorthand: Shorthand; isShouted: boolean; isRx: boolean };

/**
 * Puts words in place of the short forms of invoices, price lists and presentations of medicines: `refri` is
 * `refrigerante`, `s/gas` `sem gas`, `com rev` `comprimido revestido`. `text` is what the units were cut from, by
 * whose capitals a title is told from a sentence; queries and sentences are only relieved of forms that are no
 * words. A unit that was put in has `written`, what of packages has `packaging`: both stay words to search by,
 * and no concept is to be read from packaging. Call it before `measuresIn`, whose positions are then of its
 * result.
 */
export function expandShorthand(
  units: readonly Unit[],
  text: string,
  shorthand: Shorthand,
): Unit[] {
  const isShouted = isInCapitals(text);
  const setting = { units, shorthand, isShouted, isRx: isPresentation(units, shorthand) };
  const expanded: Unit[] = [];
  let at = 0;
  while (at < units.length) {
    const form = formAt(setting, at);
    if (form) expanded.push(...replace(units.slice(at, at + form.words.length), form));
    else expanded.push(units[at] as Unit);
    at += form?.words.length ?? 1;
  }
  return expanded;
}

/** The words that units were written as, one for each: empty for the further words of a short form. */
export function wordsAsWritten(units: readonly Unit[]): string[] {
  return units.map(({ text, written }, at) => {
    const before = units[at - 1];
    const isFurther = written !== undefined && before?.written === written && before.text !== text;
    return isFurther ? '' : (written ?? text);
  });
}

const FEW_SMALL = 0.3;

/** "LEITE COND. ITALAC 395g" is in capitals; what has no Latin letters is not. */
function isInCapitals(text: string): boolean {
  let small = 0;
  let capital = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if ((code >= 0x61 && code <= 0x7a) || (code >= 0xdf && code <= 0xff)) small += 1;
    else if ((code >= 0x41 && code <= 0x5a) || (code >= 0xc0 && code <= 0xde)) capital += 1;
  }
  return capital > 1 && small <= (small + capital) * FEW_SMALL;
}

const DOSE = /^[\d.,]*(?:mg|mcg|ui|meq)$/;
const QUANTITY = /^\d+$|^[\d.,]*(?:mg|mcg|ui|meq|g|ml|u|h|dose)$/;
const LEAST_SIGNS = 3;

/** A presentation of a medicine says a dose and one of its own short forms, or several of these. */
function isPresentation(units: readonly Unit[], shorthand: Shorthand): boolean {
  let signs = 0;
  let dosed = false;
  for (const { text } of units) {
    dosed ||= DOSE.test(text);
    if (shorthand.get(text)?.some(({ when }) => when.rx && !when.inner)) signs += 1;
  }
  return signs >= (dosed ? 1 : LEAST_SIGNS);
}

function formAt(setting: Setting, at: number): ShortForm | undefined {
  const unit = setting.units[at];
  if (unit?.script !== 'latin') return undefined;
  const { shorthand } = setting;
  const plain = shorthand.get(unit.text);
  const slashed = unit.after.startsWith('/') ? shorthand.get(`${unit.text}/`) : undefined;
  return (
    slashed?.find((form) => isAt(setting, form, at)) ??
    plain?.find((form) => isAt(setting, form, at))
  );
}

function isAt(setting: Setting, { words, when }: ShortForm, at: number): boolean {
  const { units, isShouted, isRx } = setting;
  for (const [place, word] of words.entries()) {
    const unit = units[at + place];
    if (!unit || !isWritten(unit, word, place === words.length - 1)) return false;
  }
  if (words.length === 1 && words[0]?.endsWith('/') && !isSign(units, at)) return false;
  if (!when.any && !isShouted && !isDotted(units, at)) return false;
  if ((when.rx && !isRx) || (when.retail && isRx)) return false;
  if ((when.first && at > 0) || (when.inner && at === 0)) return false;
  const isNumbered = /^\d/.test(units[at + words.length]?.text ?? '');
  if (when.number && !isNumbered) return false;
  if (when.notnumber && !isNumbered && /^\d+$/.test(units[at - 1]?.text ?? '')) return false;
  return !when.dose || isDosed(setting, at);
}

/** "Červ" is no beer. */
const PORTUGUESE = /^[a-z0-9çáàâãéêíóôõú]+$/;

const isWritten = (unit: Unit, word: string, isLast: boolean): boolean => {
  if (unit.accented !== unit.text && !PORTUGUESE.test(unit.accented)) return false;
  if (!word.endsWith('/')) return unit.text === word && (isLast || !/[,;:(]/.test(unit.after));
  return (
    unit.text.length === word.length - 1 && word.startsWith(unit.text) && /^\//.test(unit.after)
  );
};

// C/GAS and P/ CABELO, but not S/A, AC/DC or 220 V C/C.
function isSign(units: readonly Unit[], at: number): boolean {
  const [before, next] = [units[at - 1], units[at + 1]];
  if (before?.after.endsWith('/')) return false;
  return next !== undefined && (next.text.length > 1 || /\d/.test(next.text));
}

/** "Refrig. Cola": a point inside the text shortens a word. */
function isDotted(units: readonly Unit[], at: number): boolean {
  const unit = units[at];
  return (
    unit !== undefined &&
    unit.text.length > 2 &&
    unit.after.startsWith('.') &&
    at + 1 < units.length
  );
}

function isDosed({ units, shorthand }: Setting, at: number): boolean {
  if (!QUANTITY.test(units[at - 1]?.text ?? '')) return false;
  const next = units[at + 1]?.text;
  if (next === undefined || /^\d/.test(next)) return true;
  return shorthand.get(next)?.some(({ when, pack }) => when.rx || pack) ?? false;
}

// Words stand in for words where there are as many of them; else all were written by all.
function replace(units: readonly Unit[], { meant, pack }: ShortForm): Unit[] {
  if (meant.length === 0) return units.map((unit) => ({ ...unit, packaging: true }));
  const marks = pack ? { packaging: true } : {};
  const last = meant.length - 1;
  if (meant.length === units.length) {
    return units.map((unit, place) => {
      const word = meant[place] as Unit;
      const written = word.text === unit.text ? {} : { written: unit.text };
      return { ...word, starts: unit.starts, after: unit.after, ...written, ...marks };
    });
  }
  const written = units.map((unit) => unit.text).join(' ');
  return meant.map((word, place) => ({
    ...word,
    starts: place > 0 || (units[0]?.starts ?? true),
    after: place === last ? (units[units.length - 1]?.after ?? '') : ' ',
    written,
    ...marks,
  }));
}
