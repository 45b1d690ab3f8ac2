import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { readPublishState } from '../data/catalog/export.ts';
import { readAgeBeyond } from '../data/catalog/touched.ts';
import type { Sql } from '../data/connection/client.ts';
import type { Logger } from '../log.ts';
import { readCurrentManifest } from '../publish/release.ts';
import { openChild } from './child.ts';
import type { ChildAnswer } from './publish-child.ts';
import { isStale, releasesFolder } from './publishing.ts';

const CHILD = new URL('./publish-child.ts', import.meta.url);
/** setTimeout allows at most 24.8 days; the poll comes much sooner anyway. */
const LONGEST_WAIT_MS = 24 * 3_600_000;
/** Keeps a clock slightly ahead of the database's from firing just before the boundary. */
const BOUNDARY_MARGIN_MS = 20;
/** Retry interval if the database's clock has still not reached the boundary. */
const SHORTEST_WAIT_MS = 200;
/** Keeps the process warm between changes a minute apart: opening the Astro app takes half a second. */
const IDLE_MS = 60_000;
/** How often every page is compared with the catalog; the mtime of the file records the last time. */
const COMPARE_EVERY_MS = 24 * 3_600_000;
const COMPARED_FILE = '.compared';

/** The publish job. */
export type PublishJob = {
  /** Publishes if the catalog changed or an offer's validity began or ended; compares every page once a day. */
  run(): Promise<void>;
  /**
   * Returns the age of the oldest unpublished catalog change, or how long publishes have been failing if that is longer:
   * not every change is recorded (TRUNCATE, an offer's start). Null before the first publish.
   */
  waitingSeconds(): Promise<number | null>;
  close(): void;
};

/** Opens the publish job, which works in a child process; it also calls `wake` when an offer's validity changes. */
export function openPublishJob(
  config: Config,
  databaseUrl: string,
  sql: Sql,
  log: Logger,
  wake: () => void,
): PublishJob {
  const root = releasesFolder(config);
  let timer: NodeJS.Timeout | undefined;
  let refusal: { version: number; message: string } | null = null;
  let closed = false;
  let failingSinceMs: number | null = null;
  // Templates may be newer than the current release: the first run checks them too.
  let first = true;
  const child = openChild<ChildAnswer>(CHILD, databaseUrl, { idleMs: IDLE_MS });

  const wakeAtBoundary = () => {
    clearTimeout(timer);
    const boundary = readCurrentManifest(root)?.nextBoundary;
    if (boundary === undefined || boundary === null) return;
    const wait = Date.parse(boundary) - Date.now() + BOUNDARY_MARGIN_MS;
    timer = setTimeout(wake, Math.min(Math.max(wait, SHORTEST_WAIT_MS), LONGEST_WAIT_MS));
  };

  return {
    async run() {
      try {
        await publish();
        failingSinceMs = null;
      } catch (error) {
        failingSinceMs ??= performance.now();
        throw error;
      }
    },
    async waitingSeconds() {
      const current = readCurrentManifest(root);
      const waiting = current === null ? null : await readAgeBeyond(sql, current.version);
      if (failingSinceMs === null) return waiting;
      return Math.max(waiting ?? 0, (performance.now() - failingSinceMs) / 1000);
    },
    close() {
      closed = true;
      clearTimeout(timer);
      child.stop();
    },
  };

  async function publish(): Promise<void> {
    if (closed) return;
    const state = await readPublishState(sql);
    const current = readCurrentManifest(root);
    const isDue = first || current === null || isStale(current, state);
    if (!isDue && wasCompared(root)) return wakeAtBoundary();
    // A refused catalog stays refused until it changes or is published by force.
    if (refusal?.version === state.version) throw new Error(refusal.message);
    const started = Date.now();
    const answer = await child.ask(isDue ? 'touched' : 'compare');
    if (answer === null) return;
    first = false;
    if (answer.kind === 'refused') {
      refusal = { version: state.version, message: answer.message };
      throw new Error(answer.message);
    }
    if (answer.kind === 'published' && answer.result !== null) {
      refusal = null;
      const done = { ...answer.result, ms: Date.now() - started };
      if (isDue) log.info(done, 'published');
      else log.warn(done, 'pages differed from the catalog without a recorded change');
    }
    const scope = answer.kind === 'published' && answer.result?.scope;
    const isCompared = !isDue || scope === 'compare' || scope === 'render';
    if (isCompared) writeFileSync(join(root, COMPARED_FILE), '');
    wakeAtBoundary();
  }
}

/** True if every page was compared or rendered within COMPARE_EVERY_MS. */
function wasCompared(root: string): boolean {
  const stat = statSync(join(root, COMPARED_FILE), { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs < COMPARE_EVERY_MS;
}
