/** The outcome of work, or a rejection with what `late` makes after `limitMs`; the work itself goes on. */
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
