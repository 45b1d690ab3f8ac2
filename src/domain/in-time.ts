/** Settles like `work`, or rejects with the result of `late` after `limitMs`; does not cancel the work. */
export async function inTime<T>(
  work: PromiseLike<T>,
  limitMs: number,
  late: () => unknown,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(late()), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
