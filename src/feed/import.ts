import {
  existingIds,
  FEED_KINDS,
  findCategoryCycles,
  noteOwners,
  touchCatalog,
  upsertRecords,
} from '../data/catalog/import.ts';
import { forgetRemovals, removeOthers } from '../data/catalog/removal.ts';
import type { Sql } from '../data/connection/client.ts';
import type { Analyser } from '../data/search/tokens.ts';
import { indexRecords, lockCatalog } from '../data/search-index/rebuild.ts';
import type { FeedKind } from '../domain/catalog.ts';
import { refuseLoss } from './loss.ts';
import { type FeedFault, type FeedLine, readFeed } from './read.ts';
import { type Reference, referencesOf, separateDangling } from './references.ts';

/** How a feed is imported. */
export type ImportOptions = {
  /** Remove what the feed lacks. */
  replace: boolean;
  /** Apply the good lines and list the others, instead of refusing the feed. */
  skipInvalid: boolean;
  /** Let `replace` remove more than half of the catalog. */
  force?: boolean;
  analyser: Analyser;
  onProgress?: (step: string, done: number, total: number) => void;
};

/** What an import did. */
export type ImportResult = {
  written: Record<FeedKind, number>;
  removed: number;
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

  return sql.begin(async (tx) => {
    await lockCatalog(tx);
    const known = replace ? () => false : await knownReferences(tx, read.lines);
    const checked = separateDangling(read.lines, known);
    if (checked.faults.length > 0 && !skipInvalid) throw new FeedError(checked.faults.slice(0, 1));

    const written = { category: 0, merchant: 0, store: 0, product: 0, offer: 0 };
    const idsOf = (kind: FeedKind) => idsOfKind(checked.lines, kind);
    const present = { product: idsOf('product'), offer: idsOf('offer') };
    if (replace && !force) await refuseLoss(tx, present);
    let done = 0;
    for (const kind of FEED_KINDS) {
      const records = checked.lines.filter(({ record }) => record.kind === kind);
      await upsertRecords(
        tx,
        kind,
        records.map(({ record }) => record),
      );
      written[kind] = records.length;
      done += records.length;
      onProgress(`writing ${kind} records`, done, checked.lines.length);
    }
    let removed = 0;
    if (replace) {
      for (const kind of FEED_KINDS.toReversed())
        removed += await removeOthers(tx, kind, idsOf(kind));
    }
    await forgetRemovals(tx, present);
    await refuseCycles(tx, checked.lines);
    // Surfaces a reference that a concurrent writer broke here, not at commit.
    await tx`set constraints all immediate`;
    await noteOwners(tx);
    const touched = { products: present.product, offers: present.offer, removed: removed > 0 };
    await indexRecords(tx, options.analyser, touched, (indexed, total) =>
      onProgress('indexing', indexed, total),
    );
    await touchCatalog(tx, replace);
    const skipped = [...read.faults, ...checked.faults].sort((a, b) => a.line - b.line);
    return { written, removed, skipped };
  });
}

function idsOfKind(lines: FeedLine[], kind: FeedKind): number[] {
  return lines.filter(({ record }) => record.kind === kind).map(({ record }) => record.id);
}

async function knownReferences(sql: Sql, lines: FeedLine[]) {
  const wanted = new Map<FeedKind, Set<number>>();
  for (const { record } of lines) {
    for (const { kind, id } of referencesOf(record)) {
      wanted.set(kind, (wanted.get(kind) ?? new Set()).add(id));
    }
  }
  const known = new Map<FeedKind, Set<number>>();
  for (const [kind, ids] of wanted) known.set(kind, await existingIds(sql, kind, [...ids]));
  return ({ kind, id }: Reference) => known.get(kind)?.has(id) ?? false;
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
