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
/** setTimeout takes no more than 24.8 days; the poll comes much sooner anyway. */
const LONGEST_WAIT_MS = 24 * 3_600_000;
/** A clock that is a little ahead of the database's must not fire just before the boundary. */
const BOUNDARY_MARGIN_MS = 20;
/** One that is behind it is asked again after so long. */
const SHORTEST_WAIT_MS = 200;
/** Opening Astro's application takes half a second: a mall that changes something every minute is spared it. */
const IDLE_MS = 60_000;
/** How often every page is compared with the catalog, and the file whose time tells when it was done last. */
const COMPARE_EVERY_MS = 24 * 3_600_000;
const COMPARED_FILE = '.compared';

/** The publisher as a job. */
export type PublishJob = {
  /** Publishes when the catalog changed or an offer started or ended; once a day compares every page. */
  run(): Promise<void>;
  /** How long the oldest change of the catalog has been waiting to stand on pages; null before the first publish. */
  waitingSeconds(): Promise<number | null>;
  close(): void;
};

/** The publisher as a job: a process of its own when something is due, woken at the next boundary too. */
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
  // Templates may be newer than the release at hand: the first run looks at them too.
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
      if (closed) return;
      const state = await readPublishState(sql);
      const current = readCurrentManifest(root);
      const isDue = first || current === null || isStale(current, state);
      if (!isDue && wasCompared(root)) return wakeAtBoundary();
      // A catalog that was refused is refused again until it changes or somebody forces it.
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
        else log.warn(done, 'pages differed from the catalog although no change was on record');
      }
      const scope = answer.kind === 'published' && answer.result?.scope;
      const isCompared = !isDue || scope === 'compare' || scope === 'render';
      if (isCompared) writeFileSync(join(root, COMPARED_FILE), '');
      wakeAtBoundary();
    },
    async waitingSeconds() {
      const current = readCurrentManifest(root);
      return current === null ? null : readAgeBeyond(sql, current.version);
    },
    close() {
      closed = true;
      clearTimeout(timer);
      child.stop();
    },
  };
}

/** True when every page was compared or rendered lately. */
function wasCompared(root: string): boolean {
  const stat = statSync(join(root, COMPARED_FILE), { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs < COMPARE_EVERY_MS;
}
