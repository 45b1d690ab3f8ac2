import {
  analyzeUncounted,
  endSample,
  findCategoryCycles,
  noteOwners,
  upsertStaged,
} from '../data/catalog/import.ts';
import { forgetRemovals, noteStaying, removeOthers } from '../data/catalog/removal.ts';
import { findCategoryLine } from '../data/catalog/staged-faults.ts';
import { countStaged, type Tally } from '../data/catalog/staging.ts';
import type { Sql } from '../data/connection/client.ts';
import { inTransaction } from '../data/connection/transaction.ts';
import type { Analyser } from '../data/index/reader.ts';
import { indexRecords, lockCatalog } from '../data/index/rebuild.ts';
import { FEED_KINDS, type FeedKind } from '../domain/catalog.ts';
import { refuseLoss } from './loss.ts';
import type { FeedFault } from './read.ts';
import { FeedError, leaveDangling, type Staged, stageFeed } from './stage.ts';

export { FeedError } from './stage.ts';

/** How a feed is imported. */
export type ImportOptions = {
  /** Remove what the feed lacks. */
  replace: boolean;
  /** Apply the good lines and list the others, instead of refusing the feed. */
  skipInvalid: boolean;
  /** Let `replace` remove more than half of the catalog, and what lines that cannot be read may be about. */
  force?: boolean;
  /** Tell what would change, and change nothing. */
  dryRun?: boolean;
  analyser: Analyser;
  onProgress?: (step: string, done: number, total: number) => void;
};

const NAMES_SHOWN = 10;
/** Lines that are written by one statement: enough to hide what a statement costs, and progress still shows. */
const LINES_A_STATEMENT = 100_000;

/** What an import did, or would do. */
export type ImportResult = {
  /** The feed's records of each kind. */
  written: Record<FeedKind, number>;
  added: Tally;
  changed: Tally;
  removed: Tally;
  /** True when nothing was removed because a skipped line may be about any record. */
  withheld: boolean;
  skipped: FeedFault[];
};

/** Ends the transaction of a dry run. */
class DryRun extends Error {
  readonly result: ImportResult;

  constructor(result: ImportResult) {
    super('a dry run');
    this.result = result;
  }
}

/**
 * Loads a catalog feed, all or nothing: readers see the old catalog until the new one is complete. It is read into
 * temporary tables first, outside of the transaction; what changes is found by joins.
 */
export async function importFeed(
  sql: Sql,
  source: AsyncIterable<string | null> | Iterable<string>,
  options: ImportOptions,
): Promise<ImportResult> {
  const session = await sql.reserve();
  try {
    const staged = await stageFeed(session, source, options.skipInvalid);
    return await inTransaction(session, () => applyStaged(session, staged, options));
  } catch (error) {
    if (error instanceof DryRun) return error.result;
    throw error;
  } finally {
    session.release();
  }
}

async function applyStaged(
  tx: Sql,
  { lines, faults }: Staged,
  options: ImportOptions,
): Promise<ImportResult> {
  const { replace, skipInvalid, force = false, dryRun = false, onProgress = () => {} } = options;
  const withheld = replace && !force && faults.some(({ about }) => about === undefined);
  const removing = replace && !withheld;
  await lockCatalog(tx);
  const skipped = [...faults, ...(await leaveDangling(tx, removing, skipInvalid))];
  skipped.sort((a, b) => a.line - b.line);
  if (removing) await noteStaying(tx);
  if (removing && !force) await refuseLoss(tx);

  const result = { ...(await writeStaged(tx, lines, onProgress)), withheld, skipped };
  await analyzeUncounted(tx);
  for (const kind of removing ? FEED_KINDS.toReversed() : []) {
    addTally(result.removed, await removeOthers(tx, kind));
  }
  await refuseCycles(tx);
  // Surfaces a reference that a concurrent writer broke here, not at commit.
  await tx`set constraints all immediate`;
  if (dryRun) throw new DryRun(result);
  await forgetRemovals(tx, 'staged');
  await noteOwners(tx);
  await indexRecords(
    tx,
    options.analyser,
    {
      products: 'staged',
      offers: 'staged',
      removed: result.removed.count > 0,
      stores: true,
      categories: true,
    },
    (indexed, total) => onProgress('indexing', indexed, total),
  );
  if (removing) await endSample(tx);
  return result;
}

/** Writes the staged records kind by kind, and tells what that changes. */
async function writeStaged(
  tx: Sql,
  lines: number,
  onProgress: (step: string, done: number, total: number) => void,
): Promise<Pick<ImportResult, 'written' | 'added' | 'changed' | 'removed'>> {
  const written = await countStaged(tx);
  const total = Object.values(written).reduce((sum, count) => sum + count, 0);
  const none = (): Tally => ({ count: 0, first: [] });
  const result = { written, added: none(), changed: none(), removed: none() };
  let done = 0;
  for (const kind of FEED_KINDS) {
    if (written[kind] === 0) continue;
    for (let after = 0; after < lines; after += LINES_A_STATEMENT) {
      if (after === LINES_A_STATEMENT) await analyzeUncounted(tx);
      const upTo = after + LINES_A_STATEMENT;
      const { added, changed } = await upsertStaged(tx, kind, [after, upTo], NAMES_SHOWN);
      addTally(result.added, added);
      addTally(result.changed, changed);
      const share = Math.min(1, upTo / lines);
      onProgress(`writing ${kind} records`, done + Math.floor(written[kind] * share), total);
    }
    done += written[kind];
  }
  return result;
}

function addTally(to: Tally, { count, first }: Tally): void {
  to.count += count;
  to.first.push(...first.slice(0, NAMES_SHOWN - to.first.length));
}

async function refuseCycles(tx: Sql): Promise<void> {
  const cycle = await findCategoryCycles(tx);
  if (cycle.length === 0) return;
  const found = await findCategoryLine(tx, cycle);
  throw new FeedError([
    {
      line: found?.line ?? 0,
      field: 'parent_id',
      reason: `makes category ${found?.id ?? cycle[0]} its own ancestor`,
    },
  ]);
}
