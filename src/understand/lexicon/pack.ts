import { remembered } from '../../domain/remembered.ts';
import type {
  BuiltLanguage,
  BuiltLexicon,
  Entry,
  GappedForm,
  LanguageIndex,
  Lexicon,
  Need,
  WordForms,
} from '../lexicon-types.ts';
import type { ShortForm } from '../text/shorthand.ts';
import { stemmerOf } from '../text/stem.ts';
import {
  joinArrays,
  type NumberArray,
  openTable,
  openTexts,
  packTable,
  packTexts,
  type ReadPiece,
  splitArrays,
  type TableArrays,
  type Texts,
} from './packed.ts';
import { openPairs } from './pairs.ts';
import { openWordFacts, QUERY_WORDS } from './word-facts.ts';

const PURPOSE = 1;
const SOLID = 2;
const STRICT = 4;

type Arrays = Record<string, NumberArray>;

/** Raise when the layout of the packed file changes: older files are then rebuilt. */
const LAYOUT = 2;

/** The JSON header of a packed lexicon. */
type Header = {
  layout: number;
  version: string;
  needs: Need[];
  combinations: [string, string][];
  shorthand: [string, ShortForm[]][];
  targets: string[];
  languages: string[];
};

/** Packs a lexicon into one buffer that `unpackLexicon` opens in place. */
export function packLexicon(lexicon: BuiltLexicon): Buffer {
  const targets = numbering<string>();
  const arrays: Arrays = arraysOf('spaced', packTable(withoutNumbers(lexicon.spacedWords)));
  for (const [language, index] of lexicon.languages) {
    Object.assign(arrays, packLanguage(`${language}/`, index, targets.of));
  }
  const header: Header = {
    layout: LAYOUT,
    version: lexicon.version,
    needs: [...lexicon.needs.values()],
    combinations: [...lexicon.combinations],
    shorthand: [...lexicon.shorthand],
    targets: targets.all(),
    languages: [...lexicon.languages.keys()],
  };
  return joinArrays(header, arrays);
}

/**
 * Opens a packed lexicon as views of its buffer; null if it has another version. With `languages`, only these are
 * read, without the targets of typo correction: enough for records, and a tenth of the size.
 */
export function unpackLexicon(
  read: ReadPiece,
  version: string,
  languages?: readonly string[],
): Lexicon | null {
  const isWanted = (name: string) => languages?.includes(name.split('/', 1)[0] ?? '') ?? true;
  const { header, arrays } = splitArrays<Header>(read, isWanted);
  if (header.layout !== LAYOUT || header.version !== version) return null;
  const remember = languages === undefined ? QUERY_WORDS : DOCUMENT_WORDS;
  const opened = (languages ?? header.languages).map(
    (language) => [language, unpackLanguage(language, header.targets, arrays, remember)] as const,
  );
  const spacedWords =
    'spaced/text' in arrays ? openTable(tableOf('spaced', arrays), () => true) : NO_WORDS;
  return {
    version: header.version,
    needs: new Map(header.needs.map((need) => [need.id, need])),
    combinations: new Map(header.combinations),
    shorthand: new Map(header.shorthand),
    languages: new Map(opened),
    spacedWords,
  };
}

/** Words per language whose facts an import caches; catalog texts have few others. */
const DOCUMENT_WORDS = 20_000;
const NO_WORDS: Lexicon['spacedWords'] = { has: () => false };

function packLanguage(
  prefix: string,
  index: BuiltLanguage,
  targetNumber: (target: string) => number,
): Arrays {
  const entries = numbering<Entry>();
  const gapped = numbering<GappedForm>();
  const exact = mapValues(index.exact, (list) => list.map(entries.of));
  const stems = mapValues(index.stems, (list) => list.map(entries.of));
  const apart = mapValues(index.gapped, (list) => list.map(gapped.of));
  const forms = gapped.all();
  const gappedEntries = Uint32Array.from(forms, (form) => entries.of(form.entry));
  const texts = packTexts(entries.all().map((entry) => entry.accented));
  const contents = packTexts(forms.map((form) => form.content.join(' ')));
  return {
    ...arraysOf(`${prefix}exact`, packTable(exact)),
    ...arraysOf(`${prefix}stems`, packTable(stems)),
    ...arraysOf(`${prefix}gapped`, packTable(apart)),
    [`${prefix}pairs`]: index.pairs.bits,
    ...arraysOf(`${prefix}words`, packTable(withLongest(wordsOf(index), index.longest))),
    ...arraysOf(`${prefix}stemWords`, packTable(withLongest(index.stemWords, index.longest))),
    [`${prefix}entry/target`]: Uint16Array.from(entries.all(), ({ target }) =>
      targetNumber(target),
    ),
    [`${prefix}entry/flags`]: Uint8Array.from(entries.all(), flagsOf),
    ...arraysOf(`${prefix}entry`, texts),
    [`${prefix}form/entry`]: gappedEntries,
    ...arraysOf(`${prefix}form`, contents),
  };
}

function unpackLanguage(
  language: string,
  targets: readonly string[],
  arrays: Arrays,
  remember: number,
): LanguageIndex {
  const array = (name: string) => arrayOf(`${language}/${name}`, arrays) as Uint32Array;
  const texts = (name: string) => openTexts(textsOf(`${language}/${name}`, arrays));
  const [target, flags, accented] = [array('entry/target'), array('entry/flags'), texts('entry')];
  const [formEntry, content] = [array('form/entry'), texts('form')];
  // Memoised because callers compare entries by identity.
  const entryAt = remembered(
    (number: number): Entry => ({
      target: targets[target[number] ?? 0] ?? '',
      language,
      accented: accented(number),
      ...namesOf(flags[number] ?? 0),
    }),
  );
  const formAt = (number: number): GappedForm => ({
    entry: entryAt(formEntry[number] ?? 0),
    content: content(number).split(' '),
  });
  const table = <T>(name: string, read: (numbers: Uint32Array) => T) =>
    openTable(tableOf(`${language}/${name}`, arrays), read);
  const longestOf = ([units = 0]: Uint32Array) => units;
  const [words, stemWords] = [table('words', longestOf), table('stemWords', longestOf)];
  const forms: WordForms = {
    language,
    exact: table('exact', (numbers) => Array.from(numbers, entryAt)),
    stems: table('stems', (numbers) => Array.from(numbers, entryAt)),
    gapped: table('gapped', (numbers) => Array.from(numbers, formAt)),
    pairs: openPairs(array('pairs')),
    longest: { get: (start) => Math.max(words.get(start) ?? 0, stemWords.get(start) ?? 0) },
    words,
    stemWords,
    stem: stemmerOf(language),
  };
  return { ...forms, factsOf: openWordFacts(forms, remember) };
}

function flagsOf({ purpose, solid, strict }: Entry): number {
  return (purpose ? PURPOSE : 0) | (solid ? SOLID : 0) | (strict ? STRICT : 0);
}

function namesOf(flags: number): Pick<Entry, 'purpose' | 'solid' | 'strict'> {
  return {
    purpose: (flags & PURPOSE) !== 0,
    solid: (flags & SOLID) !== 0,
    strict: (flags & STRICT) !== 0,
  };
}

/** Assigns numbers from 0 to values in order of first use. */
function numbering<T>() {
  const numbers = new Map<T, number>();
  return {
    of: (value: T): number => {
      const number = numbers.get(value) ?? numbers.size;
      numbers.set(value, number);
      return number;
    },
    all: (): T[] => [...numbers.keys()],
  };
}

function mapValues<T>(map: ReadonlyMap<string, T>, change: (value: T) => number[]) {
  return new Map([...map].map(([key, value]) => [key, change(value)] as const));
}

/** Returns all words of the forms, and alternative spellings that start one ("Kuehlschrank"). */
function wordsOf({ words, stemWords, longest }: BuiltLanguage): Set<string> {
  return new Set([...words, ...[...longest.keys()].filter((start) => !stemWords.has(start))]);
}

/** Maps words to the length of the longest form that starts with each. */
function withLongest(words: ReadonlySet<string>, longest: ReadonlyMap<string, number>) {
  return new Map([...words].map((word) => [word, [longest.get(word) ?? []].flat()]));
}

function withoutNumbers(words: ReadonlySet<string>): Map<string, number[]> {
  return new Map([...words].map((word) => [word, []]));
}

function arraysOf(name: string, parts: Texts): Arrays {
  return Object.fromEntries(
    Object.entries(parts).map(([part, array]) => [`${name}/${part}`, array]),
  );
}

function textsOf(name: string, arrays: Arrays): Texts {
  return {
    text: arrayOf(`${name}/text`, arrays) as Texts['text'],
    textAt: arrayOf(`${name}/textAt`, arrays) as Uint32Array,
    alphabet: arrayOf(`${name}/alphabet`, arrays) as Uint16Array,
  };
}

function tableOf(name: string, arrays: Arrays): TableArrays {
  const part = (key: keyof TableArrays) => arrayOf(`${name}/${key}`, arrays) as Uint32Array;
  return {
    ...textsOf(name, arrays),
    numbersAt: part('numbersAt'),
    numbers: part('numbers'),
    slots: part('slots'),
  };
}

function arrayOf(name: string, arrays: Arrays): NumberArray {
  const array = arrays[name];
  if (array === undefined) throw new Error(`packed lexicon has no ${name}`);
  return array;
}
