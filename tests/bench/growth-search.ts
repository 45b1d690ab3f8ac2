import type { Sql } from '../../src/data/connection/client.ts';
import { rebuildSearchIndex } from '../../src/data/index/rebuild.ts';
import { openAnalyser } from '../../src/feed/analyser.ts';
import { median, quantile } from '../support/quantile.ts';
import { BASE, type Context, type Database, growthRow, SIZES } from './growth-fit.ts';
import { generateMall, makeVocabulary } from './mall.ts';
import { latencies, type Row, type Server } from './measure.ts';
import { callSearch } from './search.ts';
import { type QueryClass, queryClasses } from './search-queries.ts';
import { measureCost } from './two-servers.ts';

const ROUNDS = 4;
const SEARCHES_A_ROUND = 8;

/** Search over HTTP, class by class, and the making of its index. */
export async function growSearch({ scale, tell, open, serve }: Context): Promise<Row[]> {
  const words = makeVocabulary();
  const servers: Server[] = [];
  const databases: Database[] = [];
  const rebuilds: number[] = [];
  for (const size of SIZES) {
    const products = Math.round(BASE.products * size * scale);
    tell(`search at ${size}x: ${products} products`);
    const database = await open('search', size);
    const merchants = Math.max(10, Math.round(BASE.merchants * size * scale));
    await generateMall(
      database.sql,
      { products, merchants, offers: Math.round(products / 20) },
      words,
    );
    const started = performance.now();
    await database.sql.begin((tx) => rebuildSearchIndex(tx, openAnalyser()));
    rebuilds.push((performance.now() - started) / 1000);
    await database.sql`vacuum analyze`;
    servers.push(await serve(database));
    databases.push(database);
  }
  const classes = queryClasses(words);
  // A mean of medians over the classes of search, each weighing the same.
  const logs = { p50: SIZES.map(() => 0), p95: SIZES.map(() => 0) };
  const rows: Row[] = [];
  for (const { name, make } of classes) {
    tell(`search: ${name}`);
    const times = SIZES.map(() => [] as number[]);
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [at, { url }] of servers.entries()) {
        const asked = await latencies(SEARCHES_A_ROUND, () => callSearch(url, make().arguments));
        // The first round warms up.
        if (round > 0) times[at]?.push(...asked);
      }
    }
    for (const [at, values] of times.entries()) {
      logs.p50[at] = (logs.p50[at] ?? 0) + Math.log(median(values)) / classes.length;
      logs.p95[at] = (logs.p95[at] ?? 0) + Math.log(quantile(values, 0.95)) / classes.length;
    }
    rows.push(growthRow(`search, ${name}, p50`, times.map(median), 'ms', ''));
  }
  const [largest, sql] = [servers.at(-1), databases.at(-1)?.sql];
  return [
    ...(largest && sql ? [await costOfSearch(largest, sql, classes)] : []),
    growthRow('search, mean of all classes, p50', logs.p50.map(Math.exp), 'ms', '<= 0.3'),
    growthRow('search, mean of all classes, p95', logs.p95.map(Math.exp), 'ms', ''),
    ...rows,
    growthRow('search index made anew', rebuilds, 's', ''),
  ];
}

/** CPU of server and database per search of any class, with a few in flight. */
async function costOfSearch(server: Server, sql: Sql, classes: QueryClass[]): Promise<Row> {
  const each = 10;
  const cost = await measureCost(sql, [server], async () => {
    for (let round = 0; round < each; round += 1) {
      const asked = classes.map(({ make }) => callSearch(server.url, make().arguments));
      await Promise.all(asked);
    }
    return each * classes.length;
  });
  return {
    what: 'search, all classes, at 10x',
    ours: `${Math.round(cost.rate)}/s (CPU of an answer ${cost.serverMs.toFixed(1)} ms, of the database ${cost.databaseMs.toFixed(1)} ms)`,
    peers: '',
    goal: '',
  };
}
