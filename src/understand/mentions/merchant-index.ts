import { merchantKeys } from '../../domain/places.ts';

/** A merchant; `key` is its folded name with single spaces. */
export type Merchant = { id: number; name: string; key: string };

/** All merchants of one name. */
export type KnownMerchant = { name: string; key: string; ids: number[] };
/** Merchants by name and by part of a name, keys without spaces; null for parts that names share. */
export type MerchantIndex = {
  whole: ReadonlyMap<string, KnownMerchant>;
  parts: ReadonlyMap<string, KnownMerchant | null>;
  /** All words of the names. */
  words: ReadonlySet<string>;
};

const MOST_WORDS = 8;
/** Words that may be left out at either end of a name. */
const MOST_LEFT_OUT = 2;
const LEAST_NAME = 3;
const LEAST_PART = 4;
const MOST_IDS = 100;

/** Opens an index that merchants are added to in batches: 20,000 take 0.1 s, too long at once. */
export function openMerchantIndex() {
  const whole = new Map<string, KnownMerchant>();
  const parts = new Map<string, KnownMerchant | null>();
  const words = new Set<string>();
  return {
    index: { whole, parts, words } satisfies MerchantIndex,
    add({ id, name, key }: Merchant): void {
      const joined = key.replaceAll(' ', '');
      if (joined.length < LEAST_NAME) return;
      const known = whole.get(joined);
      if (known !== undefined) {
        if (known.ids.length < MOST_IDS) known.ids.push(id);
        return;
      }
      const added = { name, key, ids: [id] };
      whole.set(joined, added);
      for (const word of key.split(' ')) words.add(word);
      for (const part of partsOfName(key)) parts.set(part, parts.has(part) ? null : added);
      for (const alias of merchantKeys(name)) {
        const written = alias.replaceAll(' ', '');
        if (!whole.has(written)) whole.set(written, added);
      }
    },
  };
}

/** Indexes merchants by the names that queries may use. */
export function indexMerchants(all: Iterable<Merchant>): MerchantIndex {
  const { index, add } = openMerchantIndex();
  for (const merchant of all) add(merchant);
  return index;
}

/** Returns the name without up to two words at either end. */
function partsOfName(key: string): string[] {
  const words = key.split(' ');
  if (words.length > MOST_WORDS) return [];
  return leftOut(words)
    .map(([from, to]) => words.slice(from, to).join(''))
    .filter((part) => part.length >= LEAST_PART);
}

/** Lists the ranges `[from, to)` that leave out a few words at either end. */
function leftOut(words: readonly string[]): [number, number][] {
  const parts: [number, number][] = [];
  for (let from = 0; from <= MOST_LEFT_OUT; from += 1) {
    const least = Math.max(from + 1, words.length - MOST_LEFT_OUT);
    for (let to = words.length; to >= least; to -= 1) {
      if (to - from < words.length) parts.push([from, to]);
    }
  }
  return parts;
}

/** Returns the words of a name that a part leaves out. */
export function wordsBeside({ key }: KnownMerchant, part: string): string[] {
  const words = key.split(' ');
  const [from, to] = leftOut(words).find(([a, b]) => words.slice(a, b).join('') === part) ?? [0, 0];
  return [...words.slice(0, from), ...words.slice(to)];
}

/** An empty index. */
export const NO_MERCHANTS: MerchantIndex = indexMerchants([]);
