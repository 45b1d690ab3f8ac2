/** A source of numbers in 0..1, the same for the same seed. */
export type Random = () => number;

/** Up to so many of a list, each at most once, in the order of the draw. */
export function sample<T>(list: readonly T[], count: number, random: Random): T[] {
  const rest = [...list];
  return Array.from({ length: Math.min(count, rest.length) }, () => {
    const place = Math.floor(random() * rest.length);
    const drawn = rest[place] as T;
    rest[place] = rest.at(-1) as T;
    rest.pop();
    return drawn;
  });
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const SHORTEST_MISTYPED = 5;

/** Returns a text with one typo in its longest word; null if no word has five letters. */
export function mistype(text: string, random: Random): string | null {
  const words = [...text.matchAll(/\p{L}+/gu)];
  const longest = words.reduce<RegExpExecArray | null>(
    (best, one) => (best === null || one[0].length > best[0].length ? one : best),
    null,
  );
  if (longest === null || longest[0].length < SHORTEST_MISTYPED) return null;
  const start = longest.index;
  return text.slice(0, start) + slip(longest[0], random) + text.slice(start + longest[0].length);
}

/** A word with a letter dropped, doubled, replaced or swapped with the next; its first letter stays. */
function slip(word: string, random: Random): string {
  const place = 1 + Math.floor(random() * (word.length - 2));
  const [before, letter, next] = [word.slice(0, place), word[place] ?? '', word[place + 1] ?? ''];
  const slips = [
    before + word.slice(place + 1),
    before + letter + word.slice(place),
    before + LETTERS[Math.floor(random() * LETTERS.length)] + word.slice(place + 1),
    before + next + letter + word.slice(place + 2),
  ].filter((slipped) => slipped.toLowerCase() !== word.toLowerCase());
  return slips[Math.floor(random() * slips.length)] as string;
}
