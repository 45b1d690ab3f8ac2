import { benchStats } from '../tests/bench/stats.ts';
import { fail, readArguments, run } from './command.ts';

const HELP = `
Usage: npm run bench -- stats [--scale S] [--rounds N] [--seconds N]

Measures side by side with peers on the same data, interleaved; medians and ratios.
  stats      statistics endpoints beside Fastify + postgres.js (a), the same with a 30 s memo (a'), a bare
             node:http constant (b) and the raw scan in SQL (c)
  --scale    size of the data, 1 by default: 1M products, 20k merchants, 15M views a day
  --rounds   interleaved rounds, 3 by default
  --seconds  length of each measurement, 5 by default`;

const { values, positionals } = readArguments(
  HELP,
  { scale: { type: 'string' }, rounds: { type: 'string' }, seconds: { type: 'string' } },
  1,
);
await run(async () => {
  if (positionals[0] !== 'stats') fail(`there is no benchmark ${positionals[0]}\n${HELP.trim()}`);
  const number = (text: string | undefined, otherwise: number) => Number(text ?? otherwise);
  const scale = number(values.scale, 1);
  const rows = await benchStats(scale, number(values.rounds, 3), number(values.seconds, 5));
  console.log(`\n$ npm run bench -- ${process.argv.slice(2).join(' ')}\n`);
  console.log('| what | ours | peers (ours / theirs) | goal |\n|---|---|---|---|');
  for (const { what, ours, peers, goal } of rows)
    console.log(`| ${what} | ${ours} | ${peers} | ${goal} |`);
});
process.exit(0);
