import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAlerts, PROMTOOL, readSeries, type Scrape, scrape } from '../support/alerts.ts';
import { LONG } from '../support/long.ts';
import { runCommand } from '../support/service.ts';
import { execute, startWatchedMall, type WatchedMall } from '../support/watched-mall.ts';

const runs = LONG && existsSync(PROMTOOL) && process.getuid?.() === 0;
if (!runs) console.warn('No failure is provoked: it takes npm run test:deploy, promtool and root.');

let mall: WatchedMall;
beforeAll(async () => {
  if (runs) mall = await startWatchedMall();
});
afterAll(async () => {
  await mall?.close();
});

type Failure = {
  name: string;
  alert: string;
  begin(): Promise<unknown>;
  /** By what the failure is first seen: a series, by parts of its name, and the least of its value. */
  seen: [series: string[], least: number];
  /** What clients and timers do meanwhile. */
  meanwhile?(): Promise<unknown>;
  end(): Promise<unknown>;
};

const PUBLISH_FAILED: Failure['seen'] = [['vitrine_job_seconds_count', '"publish"', '"failed"'], 1];

const FAILURES: Failure[] = [
  {
    name: 'the database is gone',
    alert: 'VitrineDatabaseAway',
    begin: () => mall.primary.stop(),
    seen: [['vitrine_database_away'], 1],
    // Jobs run once a minute.
    async meanwhile() {
      for (let second = 0; second < 65; second += 1)
        await Promise.all([setTimeout(1000), mall.ask()]);
    },
    end: () => mall.primary.start(),
  },
  {
    name: 'the disk is full',
    alert: 'VitrineUnpublished',
    async begin() {
      spawnSync('dd', ['if=/dev/zero', `of=${join(mall.disk, 'filler')}`, 'bs=1M']);
      await mall.touch();
    },
    seen: PUBLISH_FAILED,
    async end() {
      rmSync(join(mall.disk, 'filler'));
      await mall.touch();
    },
  },
  {
    name: 'the feed is empty',
    alert: 'VitrineFeedRefused',
    async begin() {
      const { code } = await runCommand('catalog-import', ['-', '--replace'], mall.env);
      expect(code).toBe(1);
    },
    seen: [['vitrine_feed_refused'], 1],
    // Taken, as it removes nothing.
    end: () => runCommand('catalog-import', ['-'], mall.env),
  },
  {
    name: 'a replica is behind',
    alert: 'VitrineReplicaBehind',
    async begin() {
      await execute(mall.replica, 'select pg_wal_replay_pause()');
      await mall.touch();
    },
    seen: [['vitrine_replica_lag_seconds'], 4],
    end: () => execute(mall.replica, 'select pg_wal_replay_resume()'),
  },
  {
    name: 'Redis is gone',
    alert: 'VitrineQuotaStoreAway',
    async begin() {
      await mall.redis.stop();
      await mall.ask();
    },
    seen: [['vitrine_quota_store_away'], 1],
    meanwhile: () => mall.ask(),
    async end() {
      await mall.redis.start();
      // It is tried again when somebody asks.
      const isAway = async () => {
        await mall.ask();
        return readSeries(await scrape(mall.targets), ['vitrine_quota_store_away']);
      };
      await expect.poll(isAway, { timeout: 30_000 }).toBe(0);
    },
  },
  {
    name: 'the certificate is near its end',
    alert: 'VitrineCertificateEnds',
    async begin() {
      await mall.startEdge(7);
      await mall.jobs.stop('SIGTERM');
      await mall.jobs.start();
    },
    seen: [['vitrine_certificate_seconds'], 1],
    async end() {
      await mall.startEdge(90);
      await mall.jobs.stop('SIGTERM');
      await mall.jobs.start();
    },
  },
  {
    name: 'a clock is off',
    alert: 'VitrineClockOff',
    async begin() {
      await mall.server.stop('SIGTERM');
      const preload = pathToFileURL(resolve('tests/support/shifted-clock.mjs')).href;
      await mall.server.start({ NODE_OPTIONS: `--import=${preload}`, CLOCK_SHIFT_MS: '600000' });
    },
    seen: [['vitrine_clock_offset_seconds'], 500],
    async end() {
      await mall.server.stop('SIGTERM');
      await mall.server.start();
    },
  },
  {
    name: 'the jobs are stopped',
    alert: 'VitrineJobsDown',
    begin: () => mall.jobs.stop('SIGKILL'),
    seen: [['up{job="vitrine"'], 1],
    meanwhile: () => mall.touch(),
    end: () => mall.jobs.start(),
  },
];

/** Begins a failure, waits until it is seen, and holds the alerts that come of it to the one expected. */
async function provoke({ alert, begin, seen, meanwhile }: Omit<Failure, 'name' | 'end'>) {
  const [series, least] = seen;
  const well = await scrape(mall.targets);
  const isCount = series[0]?.endsWith('_count');
  const before = isCount ? readSeries(well, series) : 0;
  await begin();
  await expect
    .poll(async () => readSeries(await scrape(mall.targets), series) - before, { timeout: 30_000 })
    .toBeGreaterThanOrEqual(least);
  const first = await scrape(mall.targets);
  await Promise.all([setTimeout(5000), meanwhile?.()]);
  expect(checkAlerts(well, [first, await scrape(mall.targets)], [alert])).toBe('');
}

describe.runIf(runs)('a failure that is provoked raises its own alert alone:', () => {
  it.each(FAILURES)('$name', async (failure) => {
    try {
      await provoke(failure);
    } finally {
      await failure.end();
    }
    const firing = async () => checkAlerts(await scrape(mall.targets), [], []);
    await expect.poll(firing, { timeout: 30_000, interval: 1000 }).toBe('');
  });

  it('a process is killed again and again, as at a limit of memory', async () => {
    const well = await scrape(mall.targets);
    const scrapes: Scrape[] = [];
    for (let time = 0; time < 5; time += 1) {
      await mall.server.stop('SIGKILL');
      await mall.server.start();
      scrapes.push(await scrape(mall.targets));
    }
    expect(checkAlerts(well, scrapes, ['VitrineRestarts'])).toBe('');
  });

  it('a publish is refused', async () => {
    await provoke({
      alert: 'VitrineUnpublished',
      begin: () => execute(mall.primary, 'truncate product, offer cascade'),
      seen: PUBLISH_FAILED,
    });
  });
});
