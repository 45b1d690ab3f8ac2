import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const PROMTOOL = '/usr/bin/promtool';
const CASES = 'tests/deploy/alerts.test.yml';
const text = readFileSync('scripts/deploy/alerts.yml', 'utf8');
type Rule = { alert: string; labels: object; annotations: { summary: string; do: string } };
const rules: Rule[] = parse(text).groups.flatMap((group: { rules: Rule[] }) => group.rules);

describe('the alerts for Prometheus', () => {
  it('each say how urgent they are, what happened and what to do, and have a case that raises them', () => {
    const cases = readFileSync(CASES, 'utf8');
    for (const { alert, labels, annotations } of rules) {
      expect(labels).toEqual({ severity: expect.stringMatching(/^(page|ticket)$/) });
      expect(annotations).toEqual({ summary: expect.any(String), do: expect.any(String) });
      expect(cases).toContain(`{alertname="${alert}"}`);
    }
  });

  it('ask for metrics that there are', () => {
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join('src', name), 'utf8'))
      .join('\n');
    const named = new Set(text.match(/\bvitrine_[a-z_]+\b/g));
    const missing = [...named].filter(
      (name) => !sources.includes(`'${name.replace(/_(count|sum|bucket)$/, '')}'`),
    );
    expect(missing).toEqual([]);
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
