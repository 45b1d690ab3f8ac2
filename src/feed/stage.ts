import {
  type Dangling,
  firstDangling,
  takeDangling,
  takeRepeated,
} from '../data/catalog/staged-faults.ts';
import { openStaging } from '../data/catalog/staging.ts';
import type { Sql } from '../data/connection/client.ts';
import { nameOf } from '../domain/references.ts';
import { type FeedFault, readFeed } from './read.ts';

/** A feed that was refused; nothing was applied. */
export class FeedError extends Error {
  readonly faults: FeedFault[];

  constructor(faults: FeedFault[]) {
    super(faults.map(({ line, field, reason }) => `line ${line}: ${field} ${reason}`).join('\n'));
    this.faults = faults;
  }
}

/** A staged feed: its last line number, and the faults of the lines left out. */
export type Staged = { lines: number; faults: FeedFault[] };

/**
 * Stages a feed in temporary tables of the session, with constant memory. Throws FeedError at the first bad line
 * unless `skipInvalid`.
 */
export async function stageFeed(
  session: Sql,
  source: AsyncIterable<string | null> | Iterable<string>,
  skipInvalid: boolean,
): Promise<Staged> {
  const staging = await openStaging(session);
  const faults: FeedFault[] = [];
  let lines = 0;
  for await (const one of readFeed(source)) {
    lines = one.line;
    if ('record' in one) {
      await staging.add(one.line, one.record);
      continue;
    }
    faults.push(one);
    if (!skipInvalid) break;
    if (one.about !== undefined) await staging.addFault(one.about);
  }
  await staging.end();
  for (const { line, kind, id, first } of await takeRepeated(session)) {
    const about = { kind, id };
    faults.push({
      line,
      field: 'id',
      reason: `${nameOf(about)} stands in line ${first} already`,
      about,
    });
  }
  faults.sort((a, b) => a.line - b.line);
  if (faults.length > 0 && !skipInvalid) throw new FeedError(faults.slice(0, 1));
  return { lines, faults };
}

/**
 * Removes staged lines with dangling references, transitively, and returns their faults; without `skipInvalid` the
 * first one throws FeedError.
 */
export async function leaveDangling(
  tx: Sql,
  removing: boolean,
  skipInvalid: boolean,
): Promise<FeedFault[]> {
  if (skipInvalid) return (await takeDangling(tx, removing)).map(faultOf);
  const first = await firstDangling(tx, removing);
  if (first !== null) throw new FeedError([faultOf(first)]);
  return [];
}

const faultOf = ({ line, kind, id, field, named, namedId }: Dangling): FeedFault => ({
  ...{ line, field, about: { kind, id } },
  reason: `names ${nameOf({ kind: named, id: namedId })}, which is neither in the feed nor in the catalog`,
});
