import type { Manifest } from './release.ts';

/** Below this many pages there is no catalog yet whose loss would be a surprise. */
const LEAST_PAGES = 20;

/** More than half of the catalog is gone at once: more likely a broken feed than an empty mall. */
export class CatalogLossError extends Error {
  constructor(lost: number, before: number) {
    super(
      `${lost} of ${before} pages would be withdrawn, more than half of the catalog; nothing was ` +
        'published. If that is right: npm run catalog:publish -- --force',
    );
  }
}

/**
 * Refuses a sudden loss. Offers that ended by themselves are not lost, and a catalog of one's own in
 * place of the sample is no loss.
 */
export async function refuseLoss(
  previous: Manifest,
  lost: number,
  sample: boolean,
  countLapsed: (since: string) => Promise<number>,
): Promise<void> {
  if (previous.pages < LEAST_PAGES || (previous.sample && !sample)) return;
  const tooMany = (count: number) => count > previous.pages / 2;
  if (!tooMany(lost)) return;
  const unexpected = lost - (await countLapsed(previous.publishedAt));
  if (tooMany(unexpected)) throw new CatalogLossError(unexpected, previous.pages);
}
