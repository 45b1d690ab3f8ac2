import {
  analyzeUncounted,
  findCategoryCycles,
  noteOwners,
  touchCatalog,
  upsertRecords,
} from '../data/catalog/import.ts';
import { forgetRemovals, removeOthers } from '../data/catalog/removal.ts';
import type { Sql } from '../data/connection/client.ts';
import type { Analyser } from '../data/index/keyer.ts';
import { indexRecords, lockCatalog } from '../data/index/rebuild.ts';
import { FEED_KINDS, type FeedKind, type FeedRecord } from '../domain/catalog.ts';
import { findKept, findStaying } from './kept.ts';
import { refuseLoss } from './loss.ts';
import { type FeedFault, type FeedLine, readFeed } from './read.ts';
import { separateDangling } from './references.ts';

/** How a feed is imported. */
export type ImportOptions = {
  /** Remove what the feed lacks. */
  replace: boolean;
  /** Apply the good lines and list the others, instead of refusing the feed. */
  skipInvalid: boolean;
  /** Let `replace` remove more than half of the catalog, and what lines that cannot be read may be about. */
  force?: boolean;
  analyser: Analyser;
  onProgress?: (step: string, done: number, total: number) => void;
};

/** What an import did. */
export type ImportResult = {
  written: Record<FeedKind, number>;
  removed: number;
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

/** Loads a catalog feed, all or nothing: readers see the old catalog until the new one is complete. */
export async function importFeed(
  sql: Sql,
  source: AsyncIterable<string | null> | Iterable<string>,
  options: ImportOptions,
): Promise<ImportResult> {
  const { replace, skipInvalid, force = false, onProgress = () => {} } = options;
  const read = await readFeed(source, skipInvalid);
  if (read.faults.length > 0 && !skipInvalid) throw new FeedError(read.faults.slice(0, 1));
  const withheld = replace && !force && read.faults.some(({ about }) => about === undefined);
  const removing = replace && !withheld;

  return sql.begin(async (tx) => {
    await lockCatalog(tx);
    const stays = removing && !skipInvalid ? () => false : await findStaying(tx, read, removing);
    const checked = separateDangling(read.lines, stays);
    if (checked.faults.length > 0 && !skipInvalid) throw new FeedError(checked.faults.slice(0, 1));
    const skipped = [...read.faults, ...checked.faults].sort((a, b) => a.line - b.line);
    const kept = removing ? await findKept(tx, checked.lines, skipped) : null;
    if (kept !== null && !force) await refuseLoss(tx, kept);

    const written = { category: 0, merchant: 0, store: 0, product: 0, offer: 0 };
    let done = 0;
    for (const kind of FEED_KINDS) {
      const records = recordsOf(checked.lines, kind);
      await upsertRecords(tx, kind, records);
      written[kind] = records.length;
      done += records.length;
      onProgress(`writing ${kind} records`, done, checked.lines.length);
    }
    await analyzeUncounted(tx);
    let removed = 0;
    if (kept !== null) {
      for (const kind of FEED_KINDS.toReversed())
        removed += await removeOthers(tx, kind, kept[kind]);
    }
    const product = recordsOf(checked.lines, 'product').map(({ id }) => id);
    const offer = recordsOf(checked.lines, 'offer').map(({ id }) => id);
    await forgetRemovals(tx, { product, offer });
    await refuseCycles(tx, checked.lines);
    // Surfaces a reference that a concurrent writer broke here, not at commit.
    await tx`set constraints all immediate`;
    await noteOwners(tx);
    const whole = { stores: true, categories: true };
    const touched = { products: product, offers: offer, removed: removed > 0, ...whole };
    await indexRecords(tx, options.analyser, touched, (indexed, total) =>
      onProgress('indexing', indexed, total),
    );
    await touchCatalog(tx, removing);
    return { written, removed, withheld, skipped };
  });
}

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
