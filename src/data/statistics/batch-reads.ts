type Waiting<T> = { id: number; resolve(value: T): void; reject(error: unknown): void };

const MAX_IDS = 1000;
const MAX_IN_FLIGHT = 2;

/**
 * Batches reads by single ids of one tick into one read (DataLoader); at most two run at a time, later ids wait for
 * the next. Under load the database runs one statement for hundreds of ids.
 */
export function batchReads<T>(
  readMany: (ids: number[]) => Promise<(id: number) => T>,
): (id: number) => Promise<T> {
  let waiting: Waiting<T>[] = [];
  let inFlight = 0;
  let scheduled = false;

  function schedule(): void {
    if (scheduled || waiting.length === 0 || inFlight >= MAX_IN_FLIGHT) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      void flush();
    });
  }

  async function flush(): Promise<void> {
    const batch = waiting.slice(0, MAX_IDS);
    waiting = waiting.slice(MAX_IDS);
    inFlight += 1;
    try {
      const find = await readMany([...new Set(batch.map(({ id }) => id))]);
      for (const { id, resolve } of batch) resolve(find(id));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      inFlight -= 1;
      schedule();
    }
  }

  return (id) =>
    new Promise((resolve, reject) => {
      waiting.push({ id, resolve, reject });
      schedule();
    });
}
