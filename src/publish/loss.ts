import type { Catalog } from '../data/catalog/export.ts';
import type { PageIds } from '../domain/catalog.ts';
import { countOf } from './plan.ts';
import type { Manifest } from './release.ts';

/** Smaller catalogs are not guarded: losing their pages is no surprise. */
const LEAST_PAGES = 20;

/**
 * More than half of the pages would be withdrawn without an import that removed their records, for example because
 * of a wrong database.
 */
export class CatalogLossError extends Error {
  constructor(lost: number, before: number) {
    super(
      `${lost} of ${before} pages would be withdrawn although no import removed their records: more than ` +
        'half of the catalog. Nothing was published. If the database and the data directory are ' +
        'correct, run: npm run catalog:publish -- --force',
    );
  }
}

/**
 * Throws CatalogLossError on a sudden loss that no import explains; imports have their own guard, and pages of
 * removed records must not stay online. Replacing the sample catalog is no loss.
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
