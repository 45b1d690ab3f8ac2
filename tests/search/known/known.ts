import { openDatabase } from '../../../src/data/connection/client.ts';
import { type FeedSource, type KnownItem, knownItems } from './items.ts';
import { type EngineReport, judgeEngine, type KnownFigures } from './judge.ts';
import { miniSearchOf } from './mini-search.ts';
import { postgresTextOf } from './postgres-text.ts';
import { withCluster, withFeedService } from './stage.ts';
import { type Draw, type KnownSuite, knownSuites } from './suites.ts';
import { vitrineAt } from './vitrine.ts';

/** What is drawn from a feed, and who is asked for it. */
export type KnownOptions = Draw & {
  /** A running service over the feed; one is started without. */
  url?: string | undefined;
  /** Whether MiniSearch and Postgres full text are asked as well. */
  peers: boolean;
};

/** Draws known items from a feed and asks the engines for them. */
export async function judgeFeed(source: FeedSource, options: KnownOptions): Promise<KnownFigures> {
  const items = await knownItems(source);
  const suites = knownSuites(
    items.map(({ title }) => title),
    options,
  );
  const ask = (url: string) => judgeEngine(vitrineAt(url), suites);
  const { url } = options;
  const ours = await (url === undefined ? withFeedService(source, ask) : ask(url));
  return { suites, reports: [ours, ...(options.peers ? await judgePeers(items, suites) : [])] };
}

async function judgePeers(items: KnownItem[], suites: KnownSuite[]): Promise<EngineReport[]> {
  const mini = await judgeEngine(miniSearchOf(items), suites);
  const postgres = await withCluster(async ({ databaseUrl }) => {
    const sql = openDatabase(databaseUrl, { max: 1 });
    try {
      return await judgeEngine(await postgresTextOf(sql, items), suites);
    } finally {
      await sql.end();
    }
  });
  return [mini, postgres];
}
