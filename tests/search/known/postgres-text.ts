import type { Sql } from '../../../src/data/connection/client.ts';
import { type Engine, RESULTS } from './engine.ts';
import type { KnownItem } from './items.ts';

const ROWS_AT_ONCE = 5000;

/** Postgres' own full text search in Portuguese without accents, as its manual sets it up. */
export async function postgresTextOf(sql: Sql, items: KnownItem[]): Promise<Engine> {
  await sql.unsafe(`
    create extension unaccent;
    create text search configuration plain_portuguese (copy = portuguese);
    alter text search configuration plain_portuguese
      alter mapping for hword, hword_part, word with unaccent, portuguese_stem;
    create table item (id bigint primary key, title text not null, brand text, words tsvector
      generated always as (setweight(to_tsvector('plain_portuguese', title), 'A')
        || setweight(to_tsvector('plain_portuguese', coalesce(brand, '')), 'B')) stored)`);
  for (let from = 0; from < items.length; from += ROWS_AT_ONCE) {
    await sql`insert into item ${sql(items.slice(from, from + ROWS_AT_ONCE), 'id', 'title', 'brand')}`;
  }
  await sql.unsafe('create index on item using gin (words)');
  await sql.unsafe('vacuum analyze item');
  return {
    name: 'Postgres full text',
    async search(query) {
      const every = await find(sql, withoutOperators(query), false);
      return every.length > 0 ? every : find(sql, withoutOperators(query), true);
    },
  };
}

function find(sql: Sql, query: string, anyWord: boolean): Promise<{ title: string }[]> {
  const words = sql`websearch_to_tsquery('plain_portuguese', ${query})`;
  const asked = anyWord ? sql`replace(${words}::text, ' & ', ' | ')::tsquery` : words;
  return sql<{ title: string }[]>`
    select title from item, lateral (select ${asked} as asked) as query
    where words @@ asked order by ts_rank_cd(words, asked) desc, id limit ${RESULTS}`;
}

/** A dash before a word and quotes are operators of websearch, and mean nothing in a title. */
function withoutOperators(query: string): string {
  return query.replace(/"|(?<=^|\s)-/g, ' ');
}
