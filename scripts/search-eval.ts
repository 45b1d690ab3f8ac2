import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { feedFileLines } from '../src/feed/read.ts';
import { readCatalog } from '../tests/search/catalog.ts';
import { evaluate } from '../tests/search/evaluate.ts';
import { type FeedSource, feedOfTitles } from '../tests/search/known/items.ts';
import { judgeFeed } from '../tests/search/known/known.ts';
import { knownMisses, knownTable } from '../tests/search/known/report.ts';
import { catalogFile, readQueries, SETS } from '../tests/search/queries.ts';
import { misses, table } from '../tests/search/report.ts';
import { withEvalService } from '../tests/search/stage.ts';
import { fail, readArguments, run } from './command.ts';

const HELP = `
Usage: npm run search:eval -- [--set NAME] [--split dev|held|all] [--misses] [--url URL]
       npm run search:eval -- (--feed FILE | --titles FILE) [--cases N] [--seed N] [--peers] [--misses] [--url URL]

Evaluates the search end to end, through /mcp of a real service.

With --set: graded queries of a set in tests/search/ over its catalog. Prints hit@1, hit@3, nDCG@10, share of
empty answers, traps ranked above the right record, constraint violations and latency, by language and tag.
  --set     first (default), second, third or fourth: four authors, four catalogs; goods: names of plain goods
            in 35 languages (12,600 queries, some minutes); sentences: as people talk to an assistant, in 36
  --split   which queries: dev (default), held (kept back for final figures) or all

With --feed or --titles: known-item search in any catalog. Queries are derived from its titles (exact, in lower
case without accents, with a typo, their three rarest words, single words, substance and dose) and judged by
the titles alone. Prints each engine's share of right answers, the share of wrong first results marked exact,
and latencies.
  --feed    a catalog feed (NDJSON)
  --titles  a text file with one title per line: products of one merchant in São Paulo
  --cases   queries per suite, 200 by default
  --seed    seed of the draw: a whole number, 1 by default
  --peers   also ask MiniSearch and Postgres full-text search

  --misses  list failures with what came first instead; held queries are never shown
  --url     a running service over that catalog with ample quotas; by default one is started`;

const { values } = readArguments(HELP, {
  set: { type: 'string' },
  split: { type: 'string' },
  feed: { type: 'string' },
  titles: { type: 'string' },
  cases: { type: 'string' },
  seed: { type: 'string' },
  peers: { type: 'boolean' },
  misses: { type: 'boolean' },
  url: { type: 'string' },
});
const { set, split, feed, titles, url } = values;
await run(async () => {
  const file = feed ?? titles;
  if (file === undefined) return judgeSet();
  if (feed !== undefined && titles !== undefined) fail('--feed and --titles exclude each other');
  if (set !== undefined || split !== undefined)
    fail('--set and --split exclude --feed and --titles');
  const path = resolve(process.env.INIT_CWD ?? '.', file);
  if (!existsSync(path)) fail(`there is no file ${file} (relative to where npm was called)`);
  await judgeKnown(feed === undefined ? titlesOf(path) : () => feedFileLines(path));
});
process.exit(0);

async function judgeSet(): Promise<void> {
  for (const name of ['cases', 'seed', 'peers'] as const)
    if (values[name] !== undefined) fail(`--${name} needs --feed or --titles`);
  const { set = 'first', split = 'dev' } = values;
  if (!['dev', 'held', 'all'].includes(split)) fail(`--split is dev, held or all, not ${split}`);
  const chosen = SETS.find((known) => known === set);
  if (chosen === undefined) fail(`--set is one of ${SETS.join(', ')}, not ${set}`);
  const queries = readQueries(chosen).filter((query) => split === 'all' || query.split === split);
  const catalog = readCatalog(catalogFile(chosen));
  const work = (service: string) => evaluate(service, queries, catalog);
  const outcomes = await (url === undefined ? withEvalService(chosen, work) : work(url));
  if (values.misses) console.log(`${misses(outcomes, catalog).join('\n')}\n`);
  console.log(table(outcomes).join('\n'));
}

async function judgeKnown(source: FeedSource): Promise<void> {
  const figures = await judgeFeed(source, {
    cases: wholeNumber('cases', 200, 1),
    seed: wholeNumber('seed', 1, 0),
    peers: values.peers === true,
    url,
  });
  const [ours] = figures.reports;
  if (values.misses && ours) console.log(`${knownMisses(ours).join('\n')}\n`);
  console.log(knownTable(figures).join('\n'));
}

function titlesOf(path: string): FeedSource {
  const lines = feedOfTitles(readFileSync(path, 'utf8').split('\n'));
  return () => lines;
}

function wholeNumber(name: 'cases' | 'seed', otherwise: number, least: number): number {
  const number = Number(values[name] ?? otherwise);
  if (!Number.isSafeInteger(number) || number < least)
    fail(`--${name} is a whole number from ${least} on, not ${values[name]}`);
  return number;
}
