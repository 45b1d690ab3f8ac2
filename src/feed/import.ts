import {
  analyzeUncounted,
  endSample,
  findCategoryCycles,
  noteOwners,
  upsertStaged,
} from '../data/catalog/import.ts';
import { forgetRemovals, noteStaying, removeOthers } from '../data/catalog/removal.ts';
import { findCategoryLine } from '../data/catalog/staged-faults.ts';
import { countForeignPrices, countStaged, type Tally } from '../data/catalog/staging.ts';
import type { Sql } from '../data/connection/client.ts';
import { inTransaction } from '../data/connection/transaction.ts';
import type { Analyser } from '../data/index/reader.ts';
import { indexRecords, lockCatalog } from '../data/index/rebuild.ts';
import { FEED_KINDS, type FeedKind } from '../domain/catalog.ts';
import { refuseLoss } from './loss.ts';
import type { FeedFault } from './read.ts';
import { FeedError, leaveDangling, type Staged, stageFeed } from './stage.ts';

export { FeedError } from './stage.ts';

/** Options of an import. */
export type ImportOptions = {
  /** Remove records that the feed lacks. */
  replace: boolean;
  /** Apply the valid lines and report the others, instead of refusing the feed. */
  skipInvalid: boolean;
  /** With `replace`: remove even more than half of the catalog, and records that an unreadable line may have meant. */
  force?: boolean;
  /** Report what would change without changing anything. */
  dryRun?: boolean;
  analyser: Analyser;
  onProgress?: (step: string, done: number, total: number) => void;
};

const NAMES_SHOWN = 10;
/** Lines per statement: enough to amortise its overhead, few enough for progress to show. */
const LINES_A_STATEMENT = 100_000;

/** The outcome of an import, or of a dry run. */
export type ImportResult = {
  /** Records in the feed by kind. */
  written: Record<FeedKind, number>;
  added: Tally;
  changed: Tally;
  removed: Tally;
  /** True when nothing was removed because a skipped line may concern any record. */
  withheld: boolean;
  skipped: FeedFault[];
  /** Records in the feed with a price that is not in BRL, so that price filters leave them out. */
  foreignPrices: number;
};

/** Rolls back the transaction of a dry run. */
class DryRun extends Error {
  readonly result: ImportResult;

  constructor(result: ImportResult) {
    super('a dry run');
    this.result = result;
  }
}

/**
 * Imports a catalog feed, all or nothing: readers see the old catalog until the commit. Stages the feed in
 * temporary tables before the transaction; joins find what changed.
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

  const foreignPrices = await countForeignPrices(tx);
  const result = {
    ...(await writeStaged(tx, lines, onProgress)),
    ...{ withheld, skipped, foreignPrices },
  };
  await analyzeUncounted(tx);
  for (const kind of removing ? FEED_KINDS.toReversed() : []) {
    addTally(result.removed, await removeOthers(tx, kind));
  }
  await refuseCycles(tx);
  // Checks deferred foreign keys here, not at commit: a concurrent writer may have broken a reference.
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

/** Upserts the staged records kind by kind and counts the changes. */
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
