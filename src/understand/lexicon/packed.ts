import { remembered } from '../../domain/remembered.ts';

export type NumberArray = Uint8Array | Uint16Array | Uint32Array;
/** Concatenated texts, as indexes into `alphabet`, or as UTF-16 code units if that is empty. */
export type Texts = {
  text: Uint8Array | Uint16Array;
  /** Start offset of each text, and the end of the last. */
  textAt: Uint32Array;
  alphabet: Uint16Array;
};

type Part = { name: string; width: number; at: number; length: number };

const VIEWS = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array } as const;

const ALIGNMENT = 4;

/** Writes a header and named arrays as one buffer: header length, JSON, then the aligned arrays. */
export function joinArrays(header: object, arrays: Record<string, NumberArray>): Buffer {
  const parts: Part[] = [];
  const bodies: Uint8Array[] = [];
  let end = 0;
  for (const [name, array] of Object.entries(arrays)) {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    parts.push({ name, width: array.BYTES_PER_ELEMENT, at: end, length: array.length });
    const padding = -bytes.length & (ALIGNMENT - 1);
    bodies.push(bytes, new Uint8Array(padding));
    end += bytes.length + padding;
  }
  const text = Buffer.from(JSON.stringify({ header, parts }));
  const front = Buffer.alloc(ALIGNMENT + text.length + (-text.length & (ALIGNMENT - 1)), ' ');
  front.writeUInt32LE(front.length - ALIGNMENT);
  text.copy(front, ALIGNMENT);
  return Buffer.concat([front, ...bodies]);
}

/** Reads bytes of what `joinArrays` wrote, from a file or from memory. */
export type ReadPiece = (at: number, length: number) => Buffer;

/** Reads from a buffer, without copying. */
export const piecesOf =
  (packed: Buffer): ReadPiece =>
  (at, length) =>
    packed.subarray(at, at + length);

/** Opens what `joinArrays` wrote, or only the wanted arrays, as views. */
export function splitArrays<T>(
  read: ReadPiece,
  isWanted: (name: string) => boolean = () => true,
): { header: T; arrays: Record<string, NumberArray> } {
  const length = read(0, ALIGNMENT).readUInt32LE();
  const { header, parts } = JSON.parse(read(ALIGNMENT, length).toString('utf8')) as {
    header: T;
    parts: Part[];
  };
  const arrays = parts
    .filter(({ name }) => isWanted(name))
    .map(({ name, width, at, length: items }) => {
      const View = VIEWS[width as keyof typeof VIEWS];
      const piece = aligned(read(ALIGNMENT + length + at, items * width));
      return [name, new View(piece.buffer as ArrayBuffer, piece.byteOffset, items)] as const;
    });
  return { header, arrays: Object.fromEntries(arrays) };
}

/** Copies a buffer if it is not aligned, as pooled ones may not be: typed arrays require it. */
const aligned = (piece: Buffer) =>
  piece.byteOffset % ALIGNMENT === 0 ? piece : Buffer.from(new Uint8Array(piece).buffer);

/** Largest alphabet that fits a byte: enough for any script but Han and Hangul. */
const MOST_LETTERS = 256;

/** Concatenates texts, as bytes if their alphabet is small enough. */
export function packTexts(texts: readonly string[]): Texts {
  const textAt = new Uint32Array(texts.length + 1);
  const letters = new Map<number, number>();
  for (const [index, text] of texts.entries()) {
    textAt[index + 1] = (textAt[index] ?? 0) + text.length;
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      if (!letters.has(unit)) letters.set(unit, letters.size);
    }
  }
  const isNarrow = letters.size <= MOST_LETTERS;
  const all = new (isNarrow ? Uint8Array : Uint16Array)(textAt[texts.length] ?? 0);
  for (const [index, text] of texts.entries()) {
    const start = textAt[index] ?? 0;
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      all[start + at] = isNarrow ? (letters.get(unit) ?? 0) : unit;
    }
  }
  return { text: all, textAt, alphabet: Uint16Array.from(isNarrow ? letters.keys() : []) };
}

/** Returns a function that reads a text of `packTexts` by its index. */
export function openTexts({ text, textAt, alphabet }: Texts): (index: number) => string {
  return (index) => {
    const units = text.subarray(textAt[index], textAt[index + 1]);
    if (alphabet.length === 0) return String.fromCharCode(...units);
    return String.fromCharCode(...Uint16Array.from(units, (letter) => alphabet[letter] ?? 0));
  };
}

/** A read-only map over typed arrays, which needs no building when loaded: it has some 400,000 forms. */
export type PackedTable<T> = { get(key: string): T | undefined; has(key: string): boolean };

/** The stored arrays of a table. */
export type TableArrays = Texts & {
  /** Start offset of each key's numbers, and the end of the last. */
  numbersAt: Uint32Array;
  numbers: Uint32Array;
  /** Open-addressing hash table: index of the key + 1, or 0 for an empty slot. */
  slots: Uint32Array;
};

/** Packs a map into arrays. */
export function packTable(map: ReadonlyMap<string, readonly number[]>): TableArrays {
  const keys = [...map.keys()];
  const total = [...map.values()].reduce((sum, numbers) => sum + numbers.length, 0);
  const table: TableArrays = {
    ...packTexts(keys),
    numbersAt: new Uint32Array(keys.length + 1),
    numbers: new Uint32Array(total),
    slots: new Uint32Array(slotCount(keys.length)),
  };
  let numbersEnd = 0;
  for (const [index, key] of keys.entries()) {
    const numbers = map.get(key) ?? [];
    table.numbers.set(numbers, numbersEnd);
    numbersEnd += numbers.length;
    table.numbersAt[index + 1] = numbersEnd;
    let slot = hashOf(key) & (table.slots.length - 1);
    while (table.slots[slot] !== 0) slot = (slot + 1) & (table.slots.length - 1);
    table.slots[slot] = index + 1;
  }
  return table;
}

/** Opens the arrays of a table for look-ups; `read` decodes the numbers of a key, memoised. */
export function openTable<T>(
  arrays: TableArrays,
  read: (numbers: Uint32Array) => T,
): PackedTable<T> {
  const { text, textAt, alphabet, numbersAt, numbers, slots } = arrays;
  const isNarrow = alphabet.length > 0;
  const valueAt = remembered((index: number) =>
    read(numbers.subarray(numbersAt[index], numbersAt[index + 1])),
  );

  function isKey(index: number, key: string): boolean {
    const start = textAt[index] ?? 0;
    if ((textAt[index + 1] ?? 0) - start !== key.length) return false;
    for (let at = 0; at < key.length; at += 1) {
      const letter = text[start + at] ?? 0;
      if ((isNarrow ? alphabet[letter] : letter) !== key.charCodeAt(at)) return false;
    }
    return true;
  }

  function indexOf(key: string): number {
    let slot = hashOf(key) & (slots.length - 1);
    for (let index = slots[slot] ?? 0; index !== 0; index = slots[slot] ?? 0) {
      if (isKey(index - 1, key)) return index - 1;
      slot = (slot + 1) & (slots.length - 1);
    }
    return -1;
  }

  return {
    get: (key) => {
      const index = indexOf(key);
      return index < 0 ? undefined : valueAt(index);
    },
    has: (key) => indexOf(key) >= 0,
  };
}

// Load factor of two thirds at most, so that misses take a probe or two.
function slotCount(keys: number): number {
  let slots = 4;
  while (slots * 2 < keys * 3) slots *= 2;
  return slots;
}

/** Offset basis of FNV-1a, here over UTF-16 code units. */
export const START = 0x811c9dc5;

/** Adds the code units of a text to a hash. */
export function hashInto(start: number, text: string): number {
  let hash = start;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash;
}

/** Finalises a hash, mixing high bits into the low ones that select a slot. */
export const mixed = (hash: number): number => (hash ^ (hash >>> 15)) >>> 0;

const hashOf = (key: string): number => mixed(hashInto(START, key));
