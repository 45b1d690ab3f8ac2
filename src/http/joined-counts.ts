/** A count that a table holds, and how long its window still lasts. */
export type TableCount = { points: number; msBeforeNext: number };

/** Adds points to the count of a key. */
export type AddPoints = (key: string, points: number, windowMs: number) => Promise<TableCount>;

type Waiting = { points: number; resolve(count: TableCount): void; reject(error: unknown): void };

/**
 * Adds to one key with one statement at a time: what comes meanwhile goes together into the next, each
 * told the count as if it had come alone. So a client that floods costs the database little, and racing
 * requests do not queue for the lock of its row.
 */
export function joinCounts(add: AddPoints): AddPoints {
  const keys = new Map<string, Waiting[]>();

  async function run(key: string, windowMs: number): Promise<void> {
    for (;;) {
      const batch = keys.get(key) ?? [];
      if (batch.length === 0) break;
      keys.set(key, []);
      const total = batch.reduce((sum, { points }) => sum + points, 0);
      try {
        const { points, msBeforeNext } = await add(key, total, windowMs);
        let count = points - total;
        for (const one of batch) {
          count += one.points;
          one.resolve({ points: count, msBeforeNext });
        }
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    keys.delete(key);
  }

  return (key, points, windowMs) =>
    new Promise((resolve, reject) => {
      const waiting = keys.get(key);
      const one = { points, resolve, reject };
      if (waiting !== undefined) {
        waiting.push(one);
        return;
      }
      keys.set(key, [one]);
      void run(key, windowMs);
    });
}
