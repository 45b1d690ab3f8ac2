import { create, insertMultiple, search as searchOrama } from '@orama/orama';
import MiniSearch from 'minisearch';
import type { Sql } from '../../src/data/connection/client.ts';
import { median } from '../support/quantile.ts';
import { latencies } from './measure.ts';
import type { QueryClass, Search } from './search-queries.ts';

/** Median milliseconds of the engines that hold everything in this process; text only, no filters. */
export type PeerFigures = { miniSearch: number; orama: number };

const PLAIN_TIMES = 9;
const PEER_TIMES = 5;
/** Some take seconds; then fewer searches suffice. */
const PEER_MS = 4000;
const READ_ROWS = 20_000;

/** Gives the same products a text search index of Postgres' own. */
export async function preparePlain(sql: Sql, tell: (step: string) => void): Promise<void> {
  tell('tsvector and GIN for ts_rank_cd');
  await sql.unsafe(`
    create table plain as select id, merchant_id,
      setweight(to_tsvector('portuguese', name), 'A')
        || setweight(to_tsvector('portuguese', coalesce(description, '')), 'D') as words
    from product where in_stock`);
  await sql.unsafe('create index on plain using gin (words)');
  await sql.unsafe('vacuum analyze plain');
}

/** Median milliseconds of ranking all matches by ts_rank_cd, without any filter: words only. */
export async function timePlain(sql: Sql, make: () => Search): Promise<number> {
  const texts = Array.from({ length: PLAIN_TIMES }, () => make().text);
  const ask = (text: string) => sql`
    select id from plain, plainto_tsquery('portuguese', ${text}) as query
    where words @@ query order by ts_rank_cd(words, query) desc limit 10`;
  await ask(texts[0] ?? '');
  return median(await latencies(PLAIN_TIMES, (place) => ask(texts[place] ?? '')));
}

type Document = { id: string; name: string; description: string };

/** Measures MiniSearch and Orama over all products. */
export async function measurePeers(
  sql: Sql,
  classes: QueryClass[],
  tell: (step: string) => void,
): Promise<Map<string, PeerFigures>> {
  const mini = new MiniSearch<Document>({ fields: ['name', 'description'] });
  const orama = create({ schema: { name: 'string', description: 'string' } });
  let read = 0;
  for await (const rows of documents(sql)) {
    mini.addAll(rows);
    await insertMultiple(orama, rows);
    read += rows.length;
    tell(`MiniSearch and Orama hold ${read} products`);
  }
  const figures = new Map<string, PeerFigures>();
  for (const { name, make } of classes) {
    tell(`MiniSearch and Orama: ${name}`);
    const texts = Array.from({ length: PEER_TIMES }, () => make().text);
    const time = async (ask: (text: string) => unknown) => {
      const all: number[] = [];
      for (const text of texts) {
        if (all.reduce((sum, one) => sum + one, 0) > PEER_MS) break;
        all.push(...(await latencies(1, async () => ask(text))));
      }
      return median(all);
    };
    figures.set(name, {
      miniSearch: await time((text) =>
        mini.search(text, { boost: { name: 3 }, fuzzy: 0.2 }).slice(0, 10),
      ),
      orama: await time((text) =>
        searchOrama(orama, { term: text, boost: { name: 3 }, limit: 10 }),
      ),
    });
  }
  return figures;
}

async function* documents(sql: Sql): AsyncGenerator<Document[]> {
  for (let after = 0; ; ) {
    const rows = await sql<Document[]>`
      select id::text, name, coalesce(description, '') as description from product
      where id > ${after} order by product.id limit ${READ_ROWS}`;
    const last = rows.at(-1);
    if (last === undefined) return;
    yield [...rows];
    after = Number(last.id);
  }
}
