/** A value and how old it is: counted from the instant at which its reading began. */
export type Fresh<T> = { value: T; ageMs: number };

type Options = {
  /** Values older than this are read anew… */
  maxAgeMs: number;
  /** …and those older than so many times what their reading took: cheap values stay fresh. */
  costFactor: number;
  maxEntries: number;
  now: () => number;
};

/** `usableMs` is infinite while the value is being read: everybody who asks meanwhile shares it. */
type Entry<T> = { startedAt: number; value: Promise<T>; usableMs: number };

/**
 * A short cache in front of an expensive read: callers at the same time share one reading, and a value
 * serves for a few times as long as its reading took, `maxAgeMs` at most. So no id keeps the database
 * busy, and what is cheap to read is read anew. Failures are not kept.
 */
export function makeFreshCache<T>(
  read: (id: number) => Promise<T>,
  { maxAgeMs, costFactor, maxEntries, now }: Options,
): (id: number) => Promise<Fresh<T>> {
  // In the order of their start: the oldest comes first.
  const entries = new Map<number, Entry<T>>();

  function evict(): void {
    for (const [id, entry] of entries) {
      const expired = now() - entry.startedAt > entry.usableMs;
      if (!expired && entries.size <= maxEntries) return;
      entries.delete(id);
    }
  }

  function start(id: number): Entry<T> {
    const entry: Entry<T> = {
      startedAt: now(),
      value: read(id),
      usableMs: Number.POSITIVE_INFINITY,
    };
    entries.delete(id);
    entries.set(id, entry);
    entry.value.then(
      () => {
        entry.usableMs = Math.min(maxAgeMs, costFactor * (now() - entry.startedAt));
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
    const usable = known !== undefined && now() - known.startedAt <= known.usableMs;
    const entry = usable ? known : start(id);
    const value = await entry.value;
    return { value, ageMs: entry === known ? now() - entry.startedAt : 0 };
  };
}
