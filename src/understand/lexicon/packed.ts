import { remembered } from '../../domain/remembered.ts';

export type NumberArray = Uint8Array | Uint16Array | Uint32Array;
/** Texts one after the other: by the numbers of their code units in an alphabet; if that is empty, as code units. */
export type Texts = {
  text: Uint8Array | Uint16Array;
  /** Where each text starts; one more at the end. */
  textAt: Uint32Array;
  alphabet: Uint16Array;
};

type Part = { name: string; width: number; at: number; length: number };

const VIEWS = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array } as const;

const ALIGNMENT = 4;

/** Writes a header and named arrays as one buffer: length, JSON, then the arrays, each aligned. */
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

/** Reads a piece of what `joinArrays` wrote, from a file or from memory. */
export type ReadPiece = (at: number, length: number) => Buffer;

/** Reads pieces of a buffer; they are views of it. */
export const piecesOf =
  (packed: Buffer): ReadPiece =>
  (at, length) =>
    packed.subarray(at, at + length);

/** Opens what `joinArrays` wrote, or the arrays of these names alone, as views of the pieces. */
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

/** Views need an aligned start, which a pooled buffer may lack. */
const aligned = (piece: Buffer) =>
  piece.byteOffset % ALIGNMENT === 0 ? piece : Buffer.from(new Uint8Array(piece).buffer);

/** A byte numbers so many code units: enough for any script but Han and Hangul. */
const MOST_LETTERS = 256;

/** Lays texts out one after the other, in bytes where they have few different letters. */
export function packTexts(texts: readonly string[]): Texts {
  const textAt = new Uint32Array(texts.length + 1);
  const letters = new Map<number, number>();
  for (const [place, text] of texts.entries()) {
    textAt[place + 1] = (textAt[place] ?? 0) + text.length;
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      if (!letters.has(unit)) letters.set(unit, letters.size);
    }
  }
  const isNarrow = letters.size <= MOST_LETTERS;
  const all = new (isNarrow ? Uint8Array : Uint16Array)(textAt[texts.length] ?? 0);
  for (const [place, text] of texts.entries()) {
    const start = textAt[place] ?? 0;
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      all[start + at] = isNarrow ? (letters.get(unit) ?? 0) : unit;
    }
  }
  return { text: all, textAt, alphabet: Uint16Array.from(isNarrow ? letters.keys() : []) };
}

/** Reads the texts of `packTexts` by their number. */
export function openTexts({ text, textAt, alphabet }: Texts): (place: number) => string {
  return (place) => {
    const units = text.subarray(textAt[place], textAt[place + 1]);
    if (alphabet.length === 0) return String.fromCharCode(...units);
    return String.fromCharCode(...Uint16Array.from(units, (letter) => alphabet[letter] ?? 0));
  };
}

/** A map that lives in a few typed arrays: some 400,000 forms load in no time. */
export type PackedTable<T> = { get(key: string): T | undefined; has(key: string): boolean };

/** The arrays of a table, as they are stored. */
export type TableArrays = Texts & {
  /** Where each key's numbers start; one more at the end. */
  numbersAt: Uint32Array;
  numbers: Uint32Array;
  /** Open addressing by the hash of the key: number of the key + 1, or 0. */
  slots: Uint32Array;
};

/** Lays a map out as arrays. */
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
  for (const [place, key] of keys.entries()) {
    const numbers = map.get(key) ?? [];
    table.numbers.set(numbers, numbersEnd);
    numbersEnd += numbers.length;
    table.numbersAt[place + 1] = numbersEnd;
    let slot = hashOf(key) & (table.slots.length - 1);
    while (table.slots[slot] !== 0) slot = (slot + 1) & (table.slots.length - 1);
    table.slots[slot] = place + 1;
  }
  return table;
}

/** Opens the arrays of a table for look-ups; what the numbers of a key stand for is read once. */
export function openTable<T>(
  arrays: TableArrays,
  read: (numbers: Uint32Array) => T,
): PackedTable<T> {
  const { text, textAt, alphabet, numbersAt, numbers, slots } = arrays;
  const isNarrow = alphabet.length > 0;
  const valueAt = remembered((place: number) =>
    read(numbers.subarray(numbersAt[place], numbersAt[place + 1])),
  );

  function isKey(place: number, key: string): boolean {
    const start = textAt[place] ?? 0;
    if ((textAt[place + 1] ?? 0) - start !== key.length) return false;
    for (let at = 0; at < key.length; at += 1) {
      const letter = text[start + at] ?? 0;
      if ((isNarrow ? alphabet[letter] : letter) !== key.charCodeAt(at)) return false;
    }
    return true;
  }

  function placeOf(key: string): number {
    let slot = hashOf(key) & (slots.length - 1);
    for (let place = slots[slot] ?? 0; place !== 0; place = slots[slot] ?? 0) {
      if (isKey(place - 1, key)) return place - 1;
      slot = (slot + 1) & (slots.length - 1);
    }
    return -1;
  }

  return {
    get: (key) => {
      const place = placeOf(key);
      return place < 0 ? undefined : valueAt(place);
    },
    has: (key) => placeOf(key) >= 0,
  };
}

// At most two thirds full, so that a miss is seen after a step or two.
function slotCount(keys: number): number {
  let slots = 4;
  while (slots * 2 < keys * 3) slots *= 2;
  return slots;
}

/** FNV-1a over UTF-16 code units begins with this. */
export const START = 0x811c9dc5;

/** Goes on with a hash over the letters of a text. */
export function hashInto(start: number, text: string): number {
  let hash = start;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash;
}

/** The last step of a hash: slots take its low bits. */
export const mixed = (hash: number): number => (hash ^ (hash >>> 15)) >>> 0;

const hashOf = (key: string): number => mixed(hashInto(START, key));
