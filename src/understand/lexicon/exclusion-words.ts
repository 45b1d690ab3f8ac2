import type { ExclusionIndex, Lexicon, Marker } from '../lexicon-types.ts';
import { fold } from '../text/text.ts';
import { standAt, tokenize, type Unit } from '../text/tokenize.ts';
import type { WrittenForm } from './sources.ts';

/** Line types of `lexicon/wishes/` that exclude, and the side on which the excluded thing stands. */
const KINDS: Record<string, Pick<Marker, 'manner' | 'side'>> = {
  '!without': { manner: 'without', side: 'after' },
  '!without-behind': { manner: 'without', side: 'before' },
  '!not': { manner: 'not', side: 'after' },
  '!not-behind': { manner: 'not', side: 'before' },
  // The allergen may stand on either side; after the marker is tried first.
  '!allergy': { manner: 'allergy', side: 'after' },
};

/** Indexes the exclusion markers of `lexicon/wishes/`, all languages together. */
export function indexExclusions(
  lines: ReadonlyMap<string, readonly WrittenForm[]>,
): ExclusionIndex {
  const markers: Marker[] = [];
  const suffixes: [string, string][] = [];
  for (const [language, forms] of lines) {
    for (const { target, form } of forms) {
      const kind = KINDS[target];
      if (target === '!ends-without') suffixes.push([fold(form), language]);
      if (kind === undefined) continue;
      const words = tokenize(form).map(({ text }) => text);
      if (words.length > 0) markers.push({ words, open: form.endsWith('*'), language, ...kind });
    }
  }
  // Longest match first: "não contém" is not "não".
  markers.sort((a, b) => b.words.length - a.words.length);
  return {
    byWord: Map.groupBy(
      markers.filter(({ open, words }) => !open || words.length > 1),
      ({ words }) => words[0] ?? '',
    ),
    starts: markers.filter(({ open, words }) => open && words.length === 1),
    suffixes: suffixes.sort((a, b) => b[0].length - a[0].length),
  };
}

/** Returns the markers that start at a unit, longest first. */
export function markersAt(units: readonly Unit[], from: number, { wishes }: Lexicon): Marker[] {
  if (wishes === undefined) return [];
  const { byWord, starts } = wishes.exclusions;
  const text = units[from]?.text ?? '';
  const whole = (byWord.get(text) ?? []).filter(({ words }) => standAt(words, units, from));
  return whole.length > 0 ? whole : starts.filter(({ words }) => text.startsWith(words[0] ?? ''));
}

const words = (list: string) => new Set(tokenize(list, 4096, 999).map(({ text }) => text));

/** Words allowed between a marker and what it excludes. */
export const FILLERS =
  words(`de do da o a os as um uma uns any the an of added some adição adicionado traços
  seja ser quero conter nada contém un una el la los las al alla alle agli ao à aos às aux au du des di con
  to gegen auf mot för for voor na på su sulle sui gli i le les lo gegenüber een eine einen einem ein der die
  das den het på for für σε στα στο στη στους στην τα το τη από על عن من ضد به ل ـ ב ל को से की का के में
  sejam at all với dengan terhadap to proteína protein del dei delle dello della dell l d zugesetzten und`);

/** Conjunctions between excluded things. */
export const JOINTS =
  words(`e ou nem and or nor y o u et ou ni ed oppure né und oder noch en of och eller og ja tai
  és vagy i oraz ani lub a nebo și sau и или і або та και ή ve veya ali in alebo või ja vai un ir ar arba i dan atau na au at اور یا ও এবং বা மற்றும் அல்லது და ან و أو ו או और या и と や も 、 및 과 와 랑 和 或 与 跟 及
  และ หรือ và hoặc dan atau`);
