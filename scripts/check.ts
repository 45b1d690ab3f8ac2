import { spawnSync } from 'node:child_process';
import { fail, readArguments } from './command.ts';

const HELP = `
Usage: npm run check

Checks types, lint, format and unit tests; run it before every commit.`;

const STEPS: [name: string, command: string, args: string[]][] = [
  ['astro check', 'astro', ['check', '--minimumFailingSeverity', 'error']],
  ['biome', 'biome', ['check', '--error-on-warnings']],
  ['unit tests', 'vitest', ['run', '--project', 'unit']],
];

readArguments(HELP, {});
for (const [name, command, args] of STEPS) {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) fail(`${name} failed`);
}
