import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const PROMTOOL = '/usr/bin/promtool';
const CASES = 'tests/deploy/alerts.test.yml';
const text = readFileSync('scripts/deploy/alerts.yml', 'utf8');
const dashboard = readFileSync('scripts/deploy/dashboard.json', 'utf8');
const METRIC = /\bvitrine_[a-z_]+\b/g;
type Rule = { alert: string; labels: object; annotations: { summary: string; do: string } };
const rules: Rule[] = parse(text).groups.flatMap((group: { rules: Rule[] }) => group.rules);

describe('the alerts for Prometheus,', () => {
  it('each say how urgent they are, what happened and what to do, and have a case that raises them', () => {
    const cases = readFileSync(CASES, 'utf8');
    for (const { alert, labels, annotations } of rules) {
      expect(labels).toEqual({ severity: expect.stringMatching(/^(page|ticket)$/) });
      expect(annotations).toEqual({ summary: expect.any(String), do: expect.any(String) });
      expect(cases).toContain(`{alertname="${alert}"}`);
    }
  });

  it('and the panels of the dashboard ask for metrics that there are', () => {
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join('src', name), 'utf8'))
      .join('\n');
    const named = new Set([...text.matchAll(METRIC), ...dashboard.matchAll(METRIC)].flat());
    const missing = [...named].filter(
      (name) => !sources.includes(`'${name.replace(/_(count|sum|bucket)$/, '')}'`),
    );
    expect(missing).toEqual([]);
    expect(named.size).toBeGreaterThan(15);
  });

  it.runIf(existsSync(PROMTOOL))('dashboard: every panel has queries that Prometheus reads', () => {
    const { panels } = JSON.parse(dashboard) as { panels: { targets: { expr: string }[] }[] };
    expect(panels.every(({ targets }) => targets.length > 0)).toBe(true);
    const recorded = panels
      .flatMap(({ targets }) => targets)
      .map(({ expr }, index) => ({ record: `panel:${index}`, expr }));
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-panels-'));
    const file = join(folder, 'panels.yml');
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: recorded }] }));
    const { status, stderr } = spawnSync(PROMTOOL, ['check', 'rules', file], { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    expect([status, stderr]).toEqual([0, '']);
  });

  it.runIf(existsSync(PROMTOOL))(
    'are raised by their own failure, and by no other, as promtool evaluates them',
    () => {
      const { status, stdout, stderr } = spawnSync(PROMTOOL, ['test', 'rules', CASES], {
        encoding: 'utf8',
      });
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout).toContain('SUCCESS');
    },
  );
});
