import { readPublishState } from '../data/catalog/export.ts';
import { countKept, countRemovals, type Removal } from '../data/catalog/removal.ts';
import type { Sql } from '../data/connection/client.ts';

/** A feed that lacks more than half of the products or of the offers; nothing was applied. */
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

/** Throws FeedLossError if the staged feed would remove more than half of the products or of the offers. */
export async function refuseLoss(sql: Sql): Promise<void> {
  const removals = await countRemovals(sql);
  if (!removals.some(({ removed, before }) => removed > before / 2)) return;
  if ((await readPublishState(sql)).sample && isAnother(await countKept(sql), removals)) return;
  throw new FeedLossError(removals);
}

/** Tells whether the sample catalog is being replaced by a real one, not by an empty feed or a part of the sample. */
function isAnother(kept: number, removals: Removal[]): boolean {
  const stays = removals.reduce((sum, { removed, before }) => sum + before - removed, 0);
  return stays < kept / 2;
}
