import type { Sql } from '../connection/client.ts';
import { copyBinary } from '../connection/copy.ts';
import { KINDS, type Kind } from './format.ts';
import type { IndexedRecord } from './keyer.ts';

/** A bucket of a kind: the numbers from `first` to `next`. */
export type Bucket = { bucket: number; first: number; next: number };

/**
 * Writes the posting lists of a kind from its records in the order of their numbers: the numbers of each key of a
 * bucket are gathered here, by counting, so that Postgres neither sorts nor groups them.
 */
export function openPostings(sql: Sql, kind: Kind, buckets: readonly Bucket[]) {
  let at = 0;
  let gathered = new Gathered();

  async function flush(): Promise<void> {
    const { bucket } = buckets[at] as Bucket;
    const lists = gathered.lists();
    gathered = new Gathered();
    await copyBinary(sql, 'search_posting (kind, key, bucket, records, numbers)', (rows) => {
      const { value } = lists.next();
      if (value === undefined) return false;
      rows.row(5);
      rows.int2(KINDS[kind]);
      rows.int4(value.key);
      rows.int2(bucket);
      rows.int4(value.numbers.length);
      rows.int4s(value.numbers);
      return true;
    });
  }

  return {
    async add(records: readonly IndexedRecord[]): Promise<void> {
      for (const { number, keys } of records) {
        while (number >= (buckets[at]?.next ?? number + 1)) {
          await flush();
          at += 1;
        }
        gathered.add(number, keys);
      }
    },
    async end(): Promise<void> {
      if (!gathered.isEmpty()) await flush();
    },
  };
}

/** The keys of the records of one bucket. */
class Gathered {
  #numbers: number[] = [];
  #ends: number[] = [];
  #keys = new Int32Array(1 << 16);
  #length = 0;
  #highest = 0;

  isEmpty(): boolean {
    return this.#length === 0;
  }

  add(number: number, keys: Int32Array): void {
    if (this.#length + keys.length > this.#keys.length) {
      const larger = new Int32Array(2 * this.#keys.length);
      larger.set(this.#keys.subarray(0, this.#length));
      this.#keys = larger;
    }
    this.#keys.set(keys, this.#length);
    this.#length += keys.length;
    this.#highest = Math.max(this.#highest, keys.at(-1) ?? 0);
    this.#numbers.push(number);
    this.#ends.push(this.#length);
  }

  /** The numbers of each key, ascending as they came: a counting sort. */
  *lists(): Generator<{ key: number; numbers: Int32Array }> {
    const starts = new Int32Array(this.#highest + 2);
    for (let at = 0; at < this.#length; at += 1) {
      const after = (this.#keys[at] as number) + 1;
      starts[after] = (starts[after] as number) + 1;
    }
    for (let key = 0; key <= this.#highest; key += 1) {
      starts[key + 1] = (starts[key + 1] as number) + (starts[key] as number);
    }
    const next = starts.slice();
    const sorted = new Int32Array(this.#length);
    let from = 0;
    for (const [record, end] of this.#ends.entries()) {
      for (; from < end; from += 1) {
        const key = this.#keys[from] as number;
        const place = next[key] as number;
        sorted[place] = this.#numbers[record] as number;
        next[key] = place + 1;
      }
    }
    for (let key = 0; key <= this.#highest; key += 1) {
      const numbers = sorted.subarray(starts[key], starts[key + 1]);
      if (numbers.length > 0) yield { key, numbers };
    }
  }
}
