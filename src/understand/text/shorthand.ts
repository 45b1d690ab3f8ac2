import { tokenize, type Unit } from './tokenize.ts';

/** Where an abbreviation applies; all conditions that are set must hold. */
type Condition = {
  /** Anywhere, as it is no word; without this, only in text in capitals, or with a point. */
  any?: true;
  /** In the presentation of a medicine; outside of one. */
  rx?: true;
  retail?: true;
  first?: true;
  inner?: true;
  /** Not right after a number, unless another follows: 2 LT are litres, 12 LT 350ML cans. */
  notnumber?: true;
  /** Right before a number: COLA PET 2L. */
  number?: true;
  /** After a dose and before another part of a presentation: 500 MG COM CT. */
  dose?: true;
};

/** One line of `lexicon/shorthand.tsv`. */
export type ShortForm = {
  /** Folded words; a slash is kept: `s/`, `a/c`. */
  words: string[];
  /** Its expansion; empty if it only names packaging. */
  meant: Unit[];
  pack: boolean;
  when: Condition;
};

/** Abbreviations by first word: longest first, then in the order of the file. */
export type Shorthand = ReadonlyMap<string, ShortForm[]>;

const FLAGS = new Set(['any', 'rx', 'retail', 'first', 'inner', 'notnumber', 'number', 'dose']);

/** Parses `shorthand.tsv`; throws on an unknown condition. */
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

/** A text with what decides whether abbreviations apply. */
type Setting = { units: readonly Unit[]; shorthand: Shorthand; isShouted: boolean; isRx: boolean };

/**
 * Expands the abbreviations of invoices, price lists and presentations of medicines: `refri` to `refrigerante`, `s/gas`
 * to `sem gas`, `com rev` to `comprimido revestido`. `text` is the source of the units; unless it is in capitals, only
 * abbreviations that are no words are expanded. Expanded units keep the original in `written`; units with `packaging`
 * stay searchable, but name no concept. Call it before `measuresIn`, whose positions refer to the result.
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

/** Returns the original word of each unit; empty for all but the first unit of an expansion. */
export function wordsAsWritten(units: readonly Unit[]): string[] {
  return units.map(({ text, written }, at) => {
    const before = units[at - 1];
    const isFurther = written !== undefined && before?.written === written && before.text !== text;
    return isFurther ? '' : (written ?? text);
  });
}

const FEW_SMALL = 0.3;

/** Returns whether a text is mostly in capitals ("LEITE COND. ITALAC 395g"); false without Latin letters. */
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

/** Recognises a presentation of a medicine: a dose and one `rx` abbreviation, or three of these. */
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
  for (const [position, word] of words.entries()) {
    const unit = units[at + position];
    if (!unit || !isWritten(unit, word, position === words.length - 1)) return false;
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

/** Words with other accents are foreign: "Červ" is not "cerv" (beer). */
const PORTUGUESE = /^[a-z0-9çáàâãéêíóôõú]+$/;

const isWritten = (unit: Unit, word: string, isLast: boolean): boolean => {
  if (unit.accented !== unit.text && !PORTUGUESE.test(unit.accented)) return false;
  if (!word.endsWith('/')) return unit.text === word && (isLast || !/[,;:(]/.test(unit.after));
  return (
    unit.text.length === word.length - 1 && word.startsWith(unit.text) && /^\//.test(unit.after)
  );
};

// C/GAS and P/ CABELO are abbreviations; S/A, AC/DC and 220 V C/C are not.
function isSign(units: readonly Unit[], at: number): boolean {
  const [before, next] = [units[at - 1], units[at + 1]];
  if (before?.after.endsWith('/')) return false;
  return next !== undefined && (next.text.length > 1 || /\d/.test(next.text));
}

/** "Refrig. Cola": a point before the end of the text marks an abbreviation. */
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

// Aligned word by word if the counts are equal; otherwise the whole expansion has the whole original.
function replace(units: readonly Unit[], { meant, pack }: ShortForm): Unit[] {
  if (meant.length === 0) return units.map((unit) => ({ ...unit, packaging: true }));
  const marks = pack ? { packaging: true } : {};
  const last = meant.length - 1;
  if (meant.length === units.length) {
    return units.map((unit, position) => {
      const word = meant[position] as Unit;
      const written = word.text === unit.text ? {} : { written: unit.text };
      return { ...word, starts: unit.starts, after: unit.after, ...written, ...marks };
    });
  }
  const written = units.map((unit) => unit.text).join(' ');
  return meant.map((word, position) => ({
    ...word,
    starts: position > 0 || (units[0]?.starts ?? true),
    after: position === last ? (units[units.length - 1]?.after ?? '') : ' ',
    written,
    ...marks,
  }));
}
