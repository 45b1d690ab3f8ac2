import { readCatalog } from '../tests/search/catalog.ts';
import { evaluate } from '../tests/search/evaluate.ts';
import { catalogFile, readQueries, SETS } from '../tests/search/queries.ts';
import { misses, table } from '../tests/search/report.ts';
import { withEvalService } from '../tests/search/stage.ts';
import { fail, readArguments, run } from './command.ts';

const HELP = `
Usage: npm run search:eval -- [--set first|second|third|fourth] [--split dev|held|all] [--misses] [--url URL]

Judges the search end to end: the graded queries of a set in tests/search/, through /mcp of a real service
over its catalog. Prints hit@1, hit@3, nDCG@10, share of empty answers, traps before the right record,
constraint violations and latency, by language and by tag.
  --set     first (default), second, third or fourth: four authors, four catalogs
  --split   which queries: dev (default), held (kept back for final figures) or all
  --misses  list the dev queries that failed, with what came first instead; held ones are never shown
  --url     a running service over that catalog with ample quotas; by default one is started`;

const { values } = readArguments(HELP, {
  set: { type: 'string' },
  split: { type: 'string' },
  misses: { type: 'boolean' },
  url: { type: 'string' },
});
const { set = 'first', split = 'dev', url } = values;
await run(async () => {
  if (!['dev', 'held', 'all'].includes(split)) fail(`--split is dev, held or all, not ${split}`);
  const chosen = SETS.find((known) => known === set);
  if (chosen === undefined) fail(`--set is one of ${SETS.join(', ')}, not ${set}`);
  const queries = readQueries(chosen).filter((query) => split === 'all' || query.split === split);
  const catalog = readCatalog(catalogFile(chosen));
  const work = (service: string) => evaluate(service, queries, catalog);
  const outcomes = await (url === undefined ? withEvalService(chosen, work) : work(url));
  if (values.misses) console.log(`${misses(outcomes, catalog).join('\n')}\n`);
  console.log(table(outcomes).join('\n'));
});
process.exit(0);
