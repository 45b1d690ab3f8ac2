import { FORM } from '../../domain/relevance.ts';
import { remembered } from '../../domain/remembered.ts';
import type { Entry, LanguageIndex, WordFacts, WordForms } from '../lexicon-types.ts';
import { resolveStem, singularPortuguese } from '../text/stem.ts';
import { foldLowered } from '../text/text.ts';

const SHORT_STEM = 3;
/** Words per language whose facts are cached for queries. */
export const QUERY_WORDS = 500;

/** Lookup keys of one or more units: folded, with accents, and stemmed. */
export type Key = { exact: string; accented: string; stem: string };

const NONE: readonly Entry[] = [];
const NO_FORMS: WordFacts['gapped'] = new Map();

/** Returns a cached lookup of what a single word means in a language; keeps `most` words, because texts repeat them. */
export function openWordFacts(forms: WordForms, most: number): LanguageIndex['factsOf'] {
  const known = remembered((unit: string) => readFacts(unit, forms, true), most);
  const unspaced = remembered((unit: string) => readFacts(unit, forms, false), most);
  // The accented spelling determines the folded one, so it is the cache key.
  return ({ accented, spaced }) => (spaced ? known : unspaced)(accented);
}

function readFacts(accented: string, forms: WordForms, spaced: boolean): WordFacts {
  const text = foldLowered(accented);
  const stem = spaced ? resolveStem(text, forms.language, forms.stem, forms.stemWords) : text;
  const key = { exact: text, accented, stem };
  const found = entriesOf(key, forms, spaced);
  const own = [
    ...found.exact,
    ...found.stemmed.map((entry) => ({ entry, quality: stemQuality(text, stem, entry) })),
  ];
  const longest = forms.longest.get(text) ?? 0;
  const reach = text === stem ? longest : Math.max(longest, forms.longest.get(stem) ?? 0);
  return { stem, reach, own, gapped: gappedOf(stem, forms) };
}

function gappedOf(stem: string, forms: WordForms): WordFacts['gapped'] {
  const gapped = forms.gapped.get(stem);
  return gapped === undefined ? NO_FORMS : Map.groupBy(gapped, ({ content }) => content[1] ?? '');
}

/** Finds the entries of a key: exact ones with their quality, and those that share its stem. */
export function entriesOf(
  key: Key,
  forms: WordForms,
  spaced: boolean,
): { exact: WordFacts['own']; stemmed: readonly Entry[] } {
  const written = forms.exact.get(key.exact) ?? NONE;
  const stemmed = spaced ? stemEntries(key, forms) : NONE;
  const exact: WordFacts['own'] = [];
  for (const entry of written) {
    const quality = accentQuality(key, entry);
    if (quality === 1 || !entry.strict) exact.push({ entry, quality });
  }
  return {
    exact,
    stemmed: written.length === 0 ? stemmed : stemmed.filter((one) => !written.includes(one)),
  };
}

function stemEntries({ exact, stem }: Key, forms: WordForms): readonly Entry[] {
  const stemmed = forms.stems.get(stem) ?? NONE;
  const plain = stem === exact ? undefined : forms.exact.get(stem);
  return plain ? [...stemmed, ...plain.filter((entry) => !entry.strict)] : stemmed;
}

// Accents typed are intended ("bò" is not "bộ"); without accents, all readings are possible.
function accentQuality({ exact, accented }: Key, entry: Entry): number {
  if (accented === entry.accented) return 1;
  return accented === exact ? FORM.unaccented : FORM.wrongAccent;
}

// Overstemming: "peito" and "peita" share a stem, and so do "Eisen" and "Eis".
function stemQuality(text: string, stem: string, entry: Entry): number {
  const form = foldLowered(entry.accented);
  const isOther = entry.language === 'pt' && singularPortuguese(text) !== singularPortuguese(form);
  const isShort = stem.length <= SHORT_STEM && text !== stem && form.length !== text.length;
  if (isShort) return FORM.shortStem;
  return isOther ? FORM.looseStem : FORM.stem;
}
