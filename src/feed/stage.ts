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

/** A feed that was refused; nothing of it was applied. */
export class FeedError extends Error {
  readonly faults: FeedFault[];

  constructor(faults: FeedFault[]) {
    super(faults.map(({ line, field, reason }) => `line ${line}: ${field} ${reason}`).join('\n'));
    this.faults = faults;
  }
}

/** What is known of a staged feed: the last of its lines, and the faults of those that were left out. */
export type Staged = { lines: number; faults: FeedFault[] };

/**
 * Reads a feed into the staging tables of a session; memory does not grow with it. Its first bad line refuses it,
 * unless these are skipped.
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
 * Leaves out the staged lines whose references lead nowhere, with those that name them, and returns their faults;
 * unless lines are skipped, the first refuses the feed.
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
