import type { WrittenForm } from '../understand/lexicon/sources.ts';
import type { Need } from '../understand/lexicon-types.ts';
import { stemmerOf } from '../understand/text/stem.ts';
import { fold } from '../understand/text/text.ts';
import type { Dictionaries } from './dictionary.ts';

/** How dictionaries compare with the names of a language in the lexicon. */
export type Agreement = {
  names: number;
  /** Names that a dictionary has. */
  known: number;
  /** Names translated to a name of the same need, or of a related one. */
  confirmed: number;
  contradicted: { form: string; need: string; meant: string[] }[];
};

type Names = {
  needs: ReadonlyMap<string, Need>;
  english: readonly WrittenForm[];
  forms: readonly WrittenForm[];
};

const MOST_MEANT = 4;

/** Checks the names of a language against its dictionaries, by way of the English names of the same needs. */
export function agreementOf(
  { needs, english, forms }: Names,
  dictionaries: Dictionaries,
): Agreement {
  const namesOf = new Map<string, Set<string>>();
  const needsOf = new Map<string, string[]>();
  for (const { target, form, purpose } of english) {
    if (purpose || !needs.has(target)) continue;
    const key = keyOf(form);
    namesOf.set(target, (namesOf.get(target) ?? new Set()).add(key));
    needsOf.set(key, [...(needsOf.get(key) ?? []), target]);
  }
  const result: Agreement = { names: 0, known: 0, confirmed: 0, contradicted: [] };
  for (const { target, form, purpose } of forms) {
    if (purpose || !needs.has(target)) continue;
    result.names += 1;
    const meant = [...new Set(translationsOf(form, namesOf.get(target), dictionaries))];
    if (meant.length === 0) continue;
    result.known += 1;
    const own = namesOf.get(target);
    const others = meant.flatMap((key) => needsOf.get(key) ?? []);
    if (meant.some((key) => own?.has(key)) || others.some((id) => areAkin(id, target, needs))) {
      result.confirmed += 1;
    } else if (others.length > 0) {
      result.contradicted.push({ form, need: target, meant: meant.slice(0, MOST_MEANT) });
    }
  }
  return result;
}

const stem = stemmerOf('en');

/** Folds English words for comparison: singular, without "to" and articles. */
const keyOf = (words: string): string =>
  fold(words)
    .replace(/^(to|a|an|the) /, '')
    .replace(/-/g, ' ')
    .split(' ')
    .map(stem)
    .join(' ');

/** Returns a form's English meanings; in the English-to-foreign dictionary it looks up only names of its own need. */
function translationsOf(
  form: string,
  own: ReadonlySet<string> | undefined,
  { toEnglish, fromEnglish }: Dictionaries,
): string[] {
  const meant = toEnglish?.translations(form).map(keyOf) ?? [];
  const folded = fold(form);
  const back = [...(own ?? [])].filter((key) =>
    fromEnglish?.translations(key).some((word) => fold(word) === folded),
  );
  return [...meant, ...back];
}

/** Tells whether one need is a kind of the other, or both are kinds of a third. */
function areAkin(a: string, b: string, needs: ReadonlyMap<string, Need>): boolean {
  const broaderOf = (id: string) => needs.get(id)?.broader ?? [];
  return (
    broaderOf(a).includes(b) ||
    broaderOf(b).includes(a) ||
    broaderOf(a).some((id) => broaderOf(b).includes(id))
  );
}
