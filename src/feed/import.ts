import {
  analyzeUncounted,
  endSample,
  findCategoryCycles,
  noteOwners,
  upsertRecords,
} from '../data/catalog/import.ts';
import { forgetRemovals, removeOthers } from '../data/catalog/removal.ts';
import type { Sql } from '../data/connection/client.ts';
import type { Analyser } from '../data/index/reader.ts';
import { indexRecords, lockCatalog } from '../data/index/rebuild.ts';
import { FEED_KINDS, type FeedKind, type FeedRecord } from '../domain/catalog.ts';
import { findKept, findStaying } from './kept.ts';
import { refuseLoss } from './loss.ts';
import { type FeedFault, type FeedLine, readFeed } from './read.ts';
import { nameOf, separateDangling } from './references.ts';

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

/** So many records, and the names of the first of them. */
export type Tally = { count: number; first: string[] };

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

/** A feed that was refused; nothing of it was applied. */
export class FeedError extends Error {
  readonly faults: FeedFault[];

  constructor(faults: FeedFault[]) {
    super(faults.map(({ line, field, reason }) => `line ${line}: ${field} ${reason}`).join('\n'));
    this.faults = faults;
  }
}

/** Ends the transaction of a dry run. */
class DryRun extends Error {
  readonly result: ImportResult;

  constructor(result: ImportResult) {
    super('a dry run');
    this.result = result;
  }
}

/** Loads a catalog feed, all or nothing: readers see the old catalog until the new one is complete. */
export async function importFeed(
  sql: Sql,
  source: AsyncIterable<string | null> | Iterable<string>,
  options: ImportOptions,
): Promise<ImportResult> {
  const { replace, skipInvalid, force = false, dryRun = false } = options;
  const { onProgress = () => {} } = options;
  const read = await readFeed(source, skipInvalid);
  if (read.faults.length > 0 && !skipInvalid) throw new FeedError(read.faults.slice(0, 1));
  const withheld = replace && !force && read.faults.some(({ about }) => about === undefined);
  const removing = replace && !withheld;

  const work = sql.begin(async (tx) => {
    await lockCatalog(tx);
    const stays = removing && !skipInvalid ? () => false : await findStaying(tx, read, removing);
    const checked = separateDangling(read.lines, stays);
    if (checked.faults.length > 0 && !skipInvalid) throw new FeedError(checked.faults.slice(0, 1));
    const skipped = [...read.faults, ...checked.faults].sort((a, b) => a.line - b.line);
    const kept = removing ? await findKept(tx, checked.lines, skipped) : null;
    if (kept !== null && !force) await refuseLoss(tx, kept);

    const result = await writeRecords(tx, checked.lines, onProgress);
    await analyzeUncounted(tx);
    for (const kind of kept === null ? [] : FEED_KINDS.toReversed()) {
      const { count, first } = await removeOthers(tx, kind, kept?.[kind] ?? []);
      result.removed.count += count;
      result.removed.first.push(...first.slice(0, NAMES_SHOWN - result.removed.first.length));
    }
    await refuseCycles(tx, checked.lines);
    // Surfaces a reference that a concurrent writer broke here, not at commit.
    await tx`set constraints all immediate`;
    if (dryRun) throw new DryRun({ ...result, withheld, skipped });
    const product = recordsOf(checked.lines, 'product').map(({ id }) => id);
    const offer = recordsOf(checked.lines, 'offer').map(({ id }) => id);
    await forgetRemovals(tx, { product, offer });
    await noteOwners(tx);
    const whole = { stores: true, categories: true };
    const removed = result.removed.count > 0;
    const touched = { products: product, offers: offer, removed, ...whole };
    await indexRecords(tx, options.analyser, touched, (indexed, total) =>
      onProgress('indexing', indexed, total),
    );
    if (removing) await endSample(tx);
    return { ...result, withheld, skipped };
  });
  return work.catch((error: unknown) => {
    if (error instanceof DryRun) return error.result;
    throw error;
  });
}

/** Writes the records of a feed kind by kind, and tells what that changes. */
async function writeRecords(
  tx: Sql,
  lines: FeedLine[],
  onProgress: (step: string, done: number, total: number) => void,
): Promise<Pick<ImportResult, 'written' | 'added' | 'changed' | 'removed'>> {
  const result = {
    written: { category: 0, merchant: 0, store: 0, product: 0, offer: 0 },
    added: { count: 0, first: [] as string[] },
    changed: { count: 0, first: [] as string[] },
    removed: { count: 0, first: [] as string[] },
  };
  let done = 0;
  for (const kind of FEED_KINDS) {
    const records = recordsOf(lines, kind);
    const written = await upsertRecords(tx, kind, records);
    for (const outcome of ['added', 'changed'] as const) {
      const { first } = result[outcome];
      const shown = new Set(written[outcome].slice(0, NAMES_SHOWN - first.length));
      result[outcome].count += written[outcome].length;
      first.push(...records.filter(({ id }) => shown.has(id)).map(describe));
    }
    result.written[kind] = records.length;
    done += records.length;
    onProgress(`writing ${kind} records`, done, lines.length);
  }
  return result;
}

const describe = (record: FeedRecord) =>
  `${nameOf(record)} "${record.kind === 'offer' ? record.title : record.name}"`;

function recordsOf(lines: FeedLine[], kind: FeedKind): FeedRecord[] {
  return lines.flatMap(({ record }) => (record.kind === kind ? [record] : []));
}

async function refuseCycles(sql: Sql, lines: FeedLine[]): Promise<void> {
  const cycle = new Set(await findCategoryCycles(sql));
  if (cycle.size === 0) return;
  const line = lines.find(({ record }) => record.kind === 'category' && cycle.has(record.id));
  throw new FeedError([
    {
      line: line?.line ?? 0,
      field: 'parent_id',
      reason: `makes category ${line?.record.id ?? [...cycle][0]} its own ancestor`,
    },
  ]);
}
