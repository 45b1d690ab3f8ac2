import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export const PROMTOOL = '/usr/bin/promtool';

/** What Prometheus scrapes: a process, by its operator's port. */
export type Target = { job: 'vitrine' | 'vitrine-jobs'; port: number };

/** Every series of a scrape of all targets, as Prometheus would name it. */
export type Scrape = { at: number; series: Map<string, number> };

/** Scrapes all targets once; of one that does not answer only `up` is there. */
export async function scrape(targets: Target[]): Promise<Scrape> {
  const series = new Map<string, number>();
  for (const { job, port } of targets) {
    const own = `job="${job}",instance="127.0.0.1:${port}"`;
    const text = await fetch(`http://127.0.0.1:${port}/metrics`).then(
      (answer) => answer.text(),
      () => null,
    );
    series.set(`up{${own}}`, text === null ? 0 : 1);
    for (const line of text?.split('\n') ?? []) {
      const [, name, labels = '', value] = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      // The target's own label wins over one of the same name.
      const others = labels.replace(/(^|,)job=/, '$1exported_job=');
      if (name?.match(/^(vitrine|process_start)_/))
        series.set(`${name}{${[own, others].filter(Boolean).join(',')}}`, Number(value));
    }
  }
  return { at: performance.now(), series };
}

/** The value of a series that has all of these parts; 0 when there is none. */
export function readSeries({ series }: Scrape, parts: string[]): number {
  const key = [...series.keys()].find((one) => parts.every((part) => one.includes(part)));
  return key === undefined ? 0 : (series.get(key) ?? 0);
}

const WELL_MINUTES = 60;
const LASTS_MINUTES = 60;

/** How a series goes on after the last two scrapes: counters at their rate, ages by a minute a minute. */
function stepOf(name: string, last: Scrape, previous: Scrape): number {
  if (last === previous) return 0;
  const seconds = (last.at - previous.at) / 1000;
  const now = last.series.get(name) ?? Number.NaN;
  const rate = (now - (previous.series.get(name) ?? 0)) / seconds;
  if (/_(total|count|sum|bucket)\{/.test(name)) return Math.max(0, rate * 60);
  return /_seconds\{/.test(name) && Math.abs(rate - 1) < 0.3 ? 60 : 0;
}

/** A series over an hour that is well, a scrape a minute, and an hour that goes on as the last scrapes did. */
function valuesOf(name: string, well: Scrape, scrapes: Scrape[]): string {
  const write = (value: number | undefined) => (value === undefined ? '_' : String(value));
  const before = well.series.get(name);
  const begin = before === undefined ? `_x${WELL_MINUTES}` : `${before}x${WELL_MINUTES}`;
  const [previous = well, last = well] = scrapes.slice(-2);
  const now = last.series.get(name);
  const shown = scrapes.map(({ series }) => write(series.get(name)));
  if (now === undefined) return [begin, ...shown, 'stale'].join(' ');
  const step = stepOf(name, last, previous);
  return [begin, ...shown, `${now}+${step}x${LASTS_MINUTES}`].join(' ');
}

/**
 * Evaluates alerts.yml by promtool against what was scraped: while all was well, and while something failed. Returns
 * promtool's complaint when other alerts fire an hour on than those expected, or any before; '' when all is right.
 */
export function checkAlerts(well: Scrape, failing: Scrape[], expected: string[]): string {
  const names = new Set([well, ...failing].flatMap(({ series }) => [...series.keys()]));
  const input = [...names].map((series) => ({ series, values: valuesOf(series, well, failing) }));
  const firing = 'group by (alertname) (ALERTS{alertstate="firing"})';
  const samples = expected.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 }));
  const late = `${WELL_MINUTES + failing.length + LASTS_MINUTES - 5}m`;
  const tests = {
    rule_files: [resolve('scripts/deploy/alerts.yml')],
    evaluation_interval: '1m',
    tests: [
      {
        interval: '1m',
        input_series: input,
        promql_expr_test: [
          { expr: firing, eval_time: `${WELL_MINUTES - 1}m` },
          { expr: firing, eval_time: late, exp_samples: samples },
        ],
      },
    ],
  };
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-alerts-'));
  const file = join(folder, 'scraped.test.yml');
  writeFileSync(file, JSON.stringify(tests));
  const { status, stdout, stderr } = spawnSync(PROMTOOL, ['test', 'rules', file], {
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  return status === 0 ? '' : stdout + stderr;
}
