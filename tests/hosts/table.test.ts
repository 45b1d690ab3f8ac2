import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { HOSTS, tableRow } from './hosts.ts';

it('the table in tests/README.md names every host and its version as it is installed', () => {
  const text = readFileSync('tests/README.md', 'utf8');
  const [section] = text.split('\n## The hosts\n')[1]?.split('\n## ') ?? [];
  const rows = section?.match(/^\| .+ \|$/gm)?.slice(1);
  expect(rows).toEqual(HOSTS.map(tableRow));
});

it('the suite type-checks against the hosts', () => {
  const tsc = ['node_modules/typescript/bin/tsc', '-p', 'tests/hosts'];
  expect(execFileSync(process.execPath, tsc, { encoding: 'utf8' })).toBe('');
});
