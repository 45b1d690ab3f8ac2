/** A value and how old it is: counted from the instant at which its reading began. */
export type Fresh<T> = { value: T; ageMs: number };

type Options = {
  /** Values older than this are read anew… */
  maxAgeMs: number;
  /** …and those older than so many times what their reading took, plus one for each reuse. */
  costFactor: number;
  maxEntries: number;
  now: () => number;
};

/** `costMs` is infinite while the value is being read: everybody who asks meanwhile shares it. */
type Entry<T> = { startedAt: number; value: Promise<T>; costMs: number; reuses: number };

/**
 * A short cache in front of an expensive read: callers at the same time share one reading, and a value
 * serves for a few times as long as its reading took, longer the more it is asked for, `maxAgeMs` at
 * most. So a rush on an id does not reach the database, and who asks now and then gets it fresh.
 * Failures are not kept.
 */
export function makeFreshCache<T>(
  read: (id: number) => Promise<T>,
  { maxAgeMs, costFactor, maxEntries, now }: Options,
): (id: number) => Promise<Fresh<T>> {
  // In the order of their start: the oldest comes first.
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
