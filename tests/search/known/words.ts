/** A number with its decimals is one word, so that "0,443" is not asked for as "443". */
const WORD = /\p{N}+(?:[.,]\p{N}+)+|[\p{L}\p{N}]+/gu;

/** Lower case without accents; everything else as it is written. */
export function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** The words of a text, folded. */
export function wordsOf(text: string): string[] {
  return plain(text).match(WORD) ?? [];
}

/** Returns a key that is equal for titles that differ only in case, accents, spaces or punctuation. */
export function titleKey(title: string): string {
  return wordsOf(title).join(' ');
}

/** In how many titles each word stands. */
export function documentFrequencies(titles: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const title of titles) {
    for (const word of new Set(wordsOf(title))) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** Portuguese plurals of folded words: their ending, and what the singular has in its place. */
const PLURALS: [string, string[]][] = [
  ['oes', ['ao']],
  ['aes', ['ao']],
  ['ais', ['al']],
  ['eis', ['el', 'il']],
  ['ois', ['ol']],
  ['uis', ['ul']],
  ['is', ['il']],
  ['ns', ['m']],
  ['es', ['']],
  ['s', ['']],
];
const SHORTEST_SINGULAR = 3;

/** True if two folded words differ only in number (singular, plural). */
export function isSameWord(a: string, b: string): boolean {
  return a === b || singulars(a).includes(b) || singulars(b).includes(a);
}

function singulars(word: string): string[] {
  return PLURALS.filter(([ending]) => word.endsWith(ending)).flatMap(([ending, replacements]) =>
    replacements
      .map((replacement) => word.slice(0, -ending.length) + replacement)
      .filter((singular) => singular.length >= SHORTEST_SINGULAR),
  );
}
