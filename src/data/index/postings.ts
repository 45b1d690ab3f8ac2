import type { Sql } from '../connection/client.ts';
import { copyBinary } from '../connection/copy.ts';
import { KINDS, type Kind } from './format.ts';
import type { IndexedRecord } from './keyer.ts';

/** A bucket of a kind: record numbers from `first` up to, not including, `next`. */
export type Bucket = { bucket: number; first: number; next: number };

/**
 * Writes the posting lists of a kind from records in number order. Each bucket's lists are built here by a counting
 * sort, which spares Postgres sorting and grouping.
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

/** The keys of one bucket's records. */
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

  /** Yields the ascending numbers of each key: a counting sort. */
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
        const slot = next[key] as number;
        sorted[slot] = this.#numbers[record] as number;
        next[key] = slot + 1;
      }
    }
    for (let key = 0; key <= this.#highest; key += 1) {
      const numbers = sorted.subarray(starts[key], starts[key + 1]);
      if (numbers.length > 0) yield { key, numbers };
    }
  }
}
