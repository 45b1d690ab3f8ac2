import type { Row } from '../tests/bench/measure.ts';
import { fail, readArguments, run } from './command.ts';

const HELP = `
Usage: npm run bench -- stats [--scale S] [--rounds N] [--seconds N]
       npm run bench -- search [--scale S] [--feed FILE]
       npm run bench -- publish [--scale S] [--seconds N]
       npm run bench -- feed [--scale S]
       npm run bench -- growth [--scale S]

Measures against peers on the same data, interleaved; prints medians and ratios.
  stats      statistics endpoints beside Fastify + postgres.js (a), the same with a 30 s memo (a'), a bare
             node:http constant (b) and the raw scan in SQL (c)
  search     search over HTTP, class by class, beside ts_rank_cd over all matches on the same data and, up
             to 300k products, MiniSearch and Orama in process; p50 / p95 / p99. Then known items of a real
             feed, beside MiniSearch and Postgres full text (npm run search:eval -- --help)
  publish    full, 500 changed, one changed, nothing changed, beside Eleventy and Hugo (apt-get install hugo)
             making equivalent pages; static pages beside nginx and sirv
  feed       a catalog feed at two sizes: first import, unchanged, 1 % changed and 10 % removed --replace,
             beside COPY of the same rows and the removal by id <> all(…); then submitted changes, alone, 5,000 at
             once, and 5,000 an hour until search and pages show them
  growth     how statistics, search, publish and ingestion scale at 1x, 3x and 10x of a small mall, and two
             servers against one; about eight minutes
  --scale    size of the data, 1 by default: 1M products, 20k merchants, 15M views a day;
             search at 300k: 0.3; publish: 50,000 offers and their products;
             feed: 100,000 and 300,000 products and offers
  --feed     the real feed of search; by default ../shared/real/sao-paulo.ndjson, skipped if missing
  --rounds   interleaved rounds, 3 by default
  --seconds  length of each measurement, 5 by default`;

const { values, positionals } = readArguments(
  HELP,
  {
    scale: { type: 'string' },
    feed: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
  },
  1,
);
await run(async () => {
  const number = (text: string | undefined, otherwise: number) => Number(text ?? otherwise);
  const scale = number(values.scale, 1);
  // Imported on demand: each brings its peers, which --help does not need.
  const benchmarks: Record<string, () => Promise<Row[]>> = {
    stats: async () => {
      const { benchStats } = await import('../tests/bench/stats.ts');
      return benchStats(scale, number(values.rounds, 3), number(values.seconds, 5));
    },
    search: async () => (await import('../tests/bench/search.ts')).benchSearch(scale, values.feed),
    feed: async () => (await import('../tests/bench/feed.ts')).benchFeed(scale),
    growth: async () => (await import('../tests/bench/growth.ts')).benchGrowth(scale),
    publish: async () => {
      const { benchPublish } = await import('../tests/bench/publish.ts');
      return benchPublish(scale, number(values.seconds, 5));
    },
  };
  const rows = await benchmarks[positionals[0] ?? '']?.();
  if (rows === undefined) fail(`there is no benchmark ${positionals[0]}\n${HELP.trim()}`);
  console.log(`\n$ npm run bench -- ${process.argv.slice(2).join(' ')}\n`);
  console.log('| what | ours | peers (ours / theirs) | goal |\n|---|---|---|---|');
  for (const { what, ours, peers, goal } of rows)
    console.log(`| ${what} | ${ours} | ${peers} | ${goal} |`);
});
process.exit(0);
