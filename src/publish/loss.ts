import type { Manifest } from './release.ts';

/** Below this many pages there is no catalog yet whose loss would be a surprise. */
const LEAST_PAGES = 20;

/** Ids of the records whose pages are not there any more. */
export type LostRecords = { product: number[]; offer: number[] };

/** More than half of the pages would go, and no import removed their records: a wrong database, say. */
export class CatalogLossError extends Error {
  constructor(lost: number, before: number) {
    super(
      `${lost} of ${before} pages would be withdrawn although no import removed their records, more ` +
        'than half of the catalog; nothing was published. If database and data directory are the ' +
        'right ones: npm run catalog:publish -- --force',
    );
  }
}

/**
 * Refuses a sudden loss that did not come through an import, which has a guard of its own: what search
 * does not find any more must not stay online as pages. A catalog of one's own in place of the sample
 * is no loss.
 */
export async function refuseLoss(
  previous: Manifest,
  lostPages: string[],
  sample: boolean,
  countUnexplained: (lost: LostRecords) => Promise<number>,
): Promise<void> {
  if (previous.pages < LEAST_PAGES || (previous.sample && !sample)) return;
  const tooMany = (count: number) => count > previous.pages / 2;
  if (!tooMany(lostPages.length)) return;
  const unexplained = await countUnexplained({
    product: idsUnder('/products/', lostPages),
    offer: idsUnder('/offers/', lostPages),
  });
  if (tooMany(unexplained)) throw new CatalogLossError(unexplained, previous.pages);
}

function idsUnder(folder: string, paths: string[]): number[] {
  return paths.flatMap((path) =>
    path.startsWith(folder) ? [Number(path.slice(folder.length))] : [],
  );
}
