import { remembered } from '../../domain/remembered.ts';
import type { BuiltLanguage, BuiltLexicon, Entry, GappedForm, Sources } from '../lexicon-types.ts';
import { readShorthand } from '../text/shorthand.ts';
import { stemmerOf } from '../text/stem.ts';
import { fold, transliterate } from '../text/text.ts';
import { joinUnits, tokenize, type Unit } from '../text/tokenize.ts';
import { pairsOf } from './pairs.ts';
import {
  parseCombinations,
  parseForms,
  parseHarvest,
  parseNeeds,
  type WrittenForm,
} from './sources.ts';
import { openWordFacts, QUERY_WORDS } from './word-facts.ts';

/** Indexes the lexicon's files; forms of unknown needs are dropped. */
export function indexSources(sources: Sources, version: string): BuiltLexicon {
  const harvest = parseHarvest(sources.harvest);
  const needs = new Map(
    [...parseNeeds(sources.needs).needs, ...harvest.needs].map((need) => [need.id, need]),
  );
  const languages = new Map<string, BuiltLanguage>();
  const spacedWords = new Set<string>();
  for (const language of new Set([...sources.forms.keys(), ...harvest.forms.keys()])) {
    const written = parseForms(sources.forms.get(language) ?? '').forms;
    const forms = [...written, ...(harvest.forms.get(language) ?? [])].filter(
      (form) => form.target.startsWith('!') || needs.has(form.target),
    );
    languages.set(language, indexLanguage(language, forms, spacedWords));
    const romanised = ROMANISED[language];
    if (romanised) languages.set(romanised, indexLanguage(romanised, romanise(forms), new Set()));
    if (language === 'sr') {
      languages.set('sr-latn', indexLanguage('sr-latn', inLatin(forms), spacedWords));
    }
    if (SPELLED_IN_LATIN.has(language)) {
      const latin = `${language}-latn`;
      languages.set(latin, indexLanguage(latin, written.filter(isLatin), new Set()));
    }
  }
  const combinations = indexCombinations(sources);
  const shorthand = readShorthand(sources.shorthand);
  return { version, needs, combinations, shorthand, languages, spacedWords };
}

/** Languages whose Cyrillic forms are also indexed in transliteration. */
const ROMANISED: Record<string, string> = { ru: 'ru-latn', uk: 'uk-latn' };
/** Shorter transliterations collide with words of other languages (суп, sup). */
const LEAST_ROMANISED = 4;

/** Languages whose files also have forms in Latin letters, as typed in chats (3ayez 7alib, gyunyu). */
const SPELLED_IN_LATIN = new Set(['ar', 'fa', 'he', 'el', 'th', 'ja', 'ko', 'zh']);

function isLatin({ form }: WrittenForm): boolean {
  return /^[ -~]+$/.test(form) && /[a-z]/i.test(form);
}

/** Serbian uses both scripts; each Cyrillic letter has one Latin counterpart. */
function inLatin(forms: readonly WrittenForm[]): WrittenForm[] {
  return forms.map((written) => ({
    ...written,
    form: written.form
      .toLowerCase()
      .replace(/[\u0400-\u04ff]/g, (letter) => GAJICA[letter] ?? letter),
  }));
}

const GAJICA: Record<string, string> = {
  ...{
    а: 'a',
    б: 'b',
    в: 'v',
    г: 'g',
    д: 'd',
    ђ: 'đ',
    е: 'e',
    ж: 'ž',
    з: 'z',
    и: 'i',
    ј: 'j',
    к: 'k',
  },
  ...{
    л: 'l',
    љ: 'lj',
    м: 'm',
    н: 'n',
    њ: 'nj',
    о: 'o',
    п: 'p',
    р: 'r',
    с: 's',
    т: 't',
    ћ: 'ć',
    у: 'u',
  },
  ...{ ф: 'f', х: 'h', ц: 'c', ч: 'č', џ: 'dž', ш: 'š' },
};

function romanise(forms: readonly WrittenForm[]): WrittenForm[] {
  return forms
    .filter(({ form }) => /\p{Script=Cyrillic}/u.test(form) && form.length >= LEAST_ROMANISED)
    .map((written) => ({ ...written, form: transliterate(fold(written.form)) }));
}

function indexCombinations(sources: Sources): Map<string, string> {
  const combinations = new Map<string, string>();
  for (const { need, parts } of parseCombinations(sources.combinations)) {
    combinations.set(parts.join(' '), need);
    combinations.set([...parts].reverse().join(' '), need);
  }
  return combinations;
}

/** A language during indexing. */
type Forms = Omit<BuiltLanguage, 'factsOf'>;

type Read = { written: WrittenForm; units: Unit[] };

/** Indexes the forms of one language; adds targets of typo correction to `spacedWords`. */
export function indexLanguage(
  language: string,
  forms: readonly WrittenForm[],
  spacedWords: Set<string>,
): BuiltLanguage {
  const index: Forms = {
    language,
    exact: new Map(),
    stems: new Map(),
    longest: new Map(),
    pairs: pairsOf([]),
    gapped: new Map(),
    words: new Set(),
    stemWords: new Set(),
    // Memoised without a bound: only while indexing.
    stem: remembered(stemmerOf(language)),
  };
  const read: Read[] = forms.map((written) => ({ written, units: unitsOf(written.form) }));
  const noise = noiseWords(read);
  for (const { written, units } of read) {
    if (units.length === 0) continue;
    addForm(index, written, units, noise);
    for (const unit of units) {
      index.words.add(unit.text);
      if (unit.spaced && unit.text.length >= 4) spacedWords.add(unit.text);
    }
  }
  const pairs = pairsOf([...index.exact.keys(), ...index.stems.keys()]);
  const words = { ...index, pairs, stem: stemmerOf(language) };
  return { ...words, factsOf: openWordFacts(words, QUERY_WORDS) };
}

function unitsOf(form: string): Unit[] {
  return tokenize(form, 128, 16);
}

function noiseWords(read: readonly Read[]): Set<string> {
  const words = new Set<string>();
  for (const { written, units } of read) {
    const [only] = units;
    if (written.target === '!polite' && units.length === 1 && only?.spaced) words.add(only.text);
  }
  return words;
}

function addForm(
  index: Forms,
  written: WrittenForm,
  units: readonly Unit[],
  noise: Set<string>,
): void {
  const accented = joinUnits(units, (unit) => unit.accented);
  const entry: Entry = {
    target: written.target,
    language: index.language,
    purpose: written.purpose,
    accented,
    solid: written.form.includes('-') || units.length === 1,
    strict: written.target !== '!polite' && units.every((unit) => noise.has(unit.text)),
  };
  addKey(index, index.exact, units, (unit) => unit.text, entry);
  if (!entry.strict && units.every((unit) => unit.spaced)) {
    addStems(index, units, entry);
    if (units.length > 1) addGapped(index, entry, units, noise);
    if (units.length > 1 && written.form.includes('-') && !written.form.includes(' ')) {
      addJoined(index, entry, units);
    }
  }
  if (index.language === 'de' && /[äöü]/.test(entry.accented)) addUmlauts(index, entry);
  for (const unit of units) index.stemWords.add(unit.spaced ? index.stem(unit.text) : unit.text);
}

function addKey(
  index: Forms,
  map: Map<string, Entry[]>,
  units: readonly Unit[],
  pick: (unit: Unit) => string,
  entry: Entry,
): void {
  const [first] = units;
  if (!first) return;
  push(map, joinUnits(units, pick), entry);
  const start = pick(first);
  index.longest.set(start, Math.max(index.longest.get(start) ?? 0, units.length));
}

// Forms that are their own stems are found in `exact`; leaving them out halves the map.
function addStems(index: Forms, units: readonly Unit[], entry: Entry): void {
  if (units.every((unit) => index.stem(unit.text) === unit.text)) return;
  addKey(index, index.stems, units, (unit) => index.stem(unit.text), entry);
}

function push(map: Map<string, Entry[]>, key: string, entry: Entry): void {
  const entries = map.get(key);
  if (!entries) map.set(key, [entry]);
  else if (!entries.some((other) => other.target === entry.target && !other.purpose)) {
    entries.push(entry);
  }
}

function addGapped(index: Forms, entry: Entry, units: readonly Unit[], noise: Set<string>): void {
  const content = units
    .filter((unit) => !noise.has(unit.text) && unit.text.length > 1)
    .map((unit) => index.stem(unit.text));
  const [first] = content;
  if (first === undefined || content.length < 2 || entry.target.startsWith('!')) return;
  const form: GappedForm = { entry, content };
  const forms = index.gapped.get(first);
  if (forms) forms.push(form);
  else index.gapped.set(first, [form]);
}

// "micro-ondas" is also written "microondas".
function addJoined(index: Forms, entry: Entry, units: readonly Unit[]): void {
  const word = units.map((unit) => unit.text).join('');
  if (word.length < 5) return;
  const joined = tokenize(word);
  addKey(index, index.exact, joined, (unit) => unit.text, entry);
  addStems(index, joined, entry);
}

// Keyboards without umlauts write ä, ö, ü as ae, oe, ue.
function addUmlauts(index: Forms, entry: Entry): void {
  const spelled = entry.accented.replace(/[äöü]/g, (letter) =>
    letter === 'ä' ? 'ae' : letter === 'ö' ? 'oe' : 'ue',
  );
  addKey(index, index.exact, tokenize(spelled), (unit) => unit.text, entry);
}
