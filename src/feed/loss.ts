import { readPublishState } from '../data/catalog/export.ts';
import { countRemovals, type GuardedIds, type Removal } from '../data/catalog/removal.ts';
import type { Sql } from '../data/connection/client.ts';
import { isGreatLoss } from '../domain/loss.ts';

/** A feed that lacks more than half of the products or of the offers; nothing of it was applied. */
export class FeedLossError extends Error {
  constructor(removals: Removal[]) {
    const lacks = removals
      .filter(({ removed }) => removed > 0)
      .map(({ kind, removed, before }) => `${removed} of ${before} ${kind}s`);
    super(
      `lacks ${lacks.join(' and ')}: more than half would be removed, so nothing was applied. ` +
        'If the file is right, import it again with --force',
    );
  }
}

/**
 * Refuses the removal of more than half of the products or of the offers. The sample catalog is no
 * loss, and kinds with few records count only together.
 */
export async function refuseLoss(sql: Sql, kept: GuardedIds): Promise<void> {
  if ((await readPublishState(sql)).sample) return;
  const removals = await countRemovals(sql, kept);
  const sum = (of: 'removed' | 'before') => removals.reduce((total, row) => total + row[of], 0);
  const counted = [...removals, { removed: sum('removed'), before: sum('before') }];
  if (counted.some(({ removed, before }) => isGreatLoss(removed, before))) {
    throw new FeedLossError(removals);
  }
}
