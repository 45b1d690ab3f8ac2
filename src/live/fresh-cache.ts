/** A value and its age since its read started. */
export type Fresh<T> = { value: T; ageMs: number };

type Options = {
  /** Maximum age of a cached value. */
  maxAgeMs: number;
  /** A value also expires after this many times the duration of its read, plus one for each reuse. */
  costFactor: number;
  maxEntries: number;
  now: () => number;
};

/** `costMs` is infinite during the read, so that concurrent callers share it. */
type Entry<T> = { startedAt: number; value: Promise<T>; costMs: number; reuses: number };

/**
 * Makes a single-flight cache with a short TTL: a few times the duration of the read, growing with reuse up to
 * `maxAgeMs`. Bursts on an id do not reach the database; occasional requests get fresh values. Errors are not cached.
 */
export function makeFreshCache<T>(
  read: (id: number) => Promise<T>,
  { maxAgeMs, costFactor, maxEntries, now }: Options,
): (id: number) => Promise<Fresh<T>> {
  // Insertion order is start order: the oldest comes first.
  const entries = new Map<number, Entry<T>>();

  function isUsable({ startedAt, costMs, reuses }: Entry<T>): boolean {
    if (costMs === Number.POSITIVE_INFINITY) return true;
    return now() - startedAt <= Math.min(maxAgeMs, costMs * (costFactor + reuses));
  }

  function evict(): void {
    for (const [id, entry] of entries) {
      const expired = !isUsable(entry);
      if (!expired && entries.size <= maxEntries) return;
      entries.delete(id);
    }
  }

  function start(id: number): Entry<T> {
    const entry: Entry<T> = {
      startedAt: now(),
      value: read(id),
      costMs: Number.POSITIVE_INFINITY,
      reuses: 0,
    };
    entries.delete(id);
    entries.set(id, entry);
    entry.value.then(
      () => {
        entry.costMs = now() - entry.startedAt;
      },
      () => {
        if (entries.get(id) === entry) entries.delete(id);
      },
    );
    evict();
    return entry;
  }

  return async (id) => {
    const known = entries.get(id);
    const entry = known !== undefined && isUsable(known) ? known : start(id);
    if (entry === known) entry.reuses += 1;
    const value = await entry.value;
    return { value, ageMs: entry === known ? now() - entry.startedAt : 0 };
  };
}
