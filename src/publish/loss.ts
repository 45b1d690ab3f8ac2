import type { Catalog } from '../data/catalog/export.ts';
import type { PageIds } from '../domain/catalog.ts';
import { countOf } from './plan.ts';
import type { Manifest } from './release.ts';

/** Below this many pages there is no catalog yet whose loss would be a surprise. */
const LEAST_PAGES = 20;

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
  lost: PageIds,
  catalog: Pick<Catalog, 'sample' | 'countUnexplained'>,
): Promise<void> {
  if (previous.pages < LEAST_PAGES || (previous.sample && !catalog.sample)) return;
  const tooMany = (count: number) => count > previous.pages / 2;
  if (!tooMany(countOf(lost))) return;
  const unexplained = await catalog.countUnexplained(lost);
  if (tooMany(unexplained)) throw new CatalogLossError(unexplained, previous.pages);
}
