import { arrayText } from '../connection/arrays.ts';
import type { Sql } from '../connection/client.ts';
import { keyOf, type Level, levelOf } from './format.ts';
import type { Said } from './reader.ts';
import type { SearchSource } from './sources.ts';

/** A record with its keys, ascending, and a hash of its name. */
export type IndexedRecord = Pick<SearchSource, 'number' | 'id' | 'rank' | 'source'> & {
  keys: Int32Array;
  name: bigint;
};

/** Gives records their keys; knows the ids of the tokens that it has met. */
export type Keyer = {
  index(sources: readonly SearchSource[], said: Said): Promise<IndexedRecord[]>;
  /** Writes the words of all titles and brands seen. */
  writeWords(): Promise<void>;
};

/** Opens a keyer inside the transaction of an import. */
export function openKeyer(sql: Sql): Keyer {
  const ids = new Map<string, number>();
  const words = new Map<string, number>();

  async function learn(tokens: readonly string[]): Promise<void> {
    const unknown = tokens.filter((token) => !ids.has(token));
    if (unknown.length === 0) return;
    const rows = await sql<{ token: string; id: number }[]>`
      with wanted as (
        select unnest(${arrayText(unknown)}::text::text[]) as token
      ), added as (
        insert into search_token (token)
        select token from wanted
        where not exists (select from search_token known where known.token = wanted.token)
        order by token returning id, token
      )
      select id, token from search_token where token in (select token from wanted)
      union all select id, token from added`;
    for (const { token, id } of rows) ids.set(token, id);
  }

  return {
    async index(sources, { tokens, keys, ends, names, words: said }) {
      const [hashes] = await Promise.all([hashNames(sql, names), learn(tokens)]);
      const idAt = tokens.map((token) => ids.get(token) ?? 0);
      for (const { word, token } of said) words.set(word, idAt[token] ?? 0);
      for (const [at, key] of keys.entries()) {
        keys[at] = keyOf(idAt[placeOf(key)] ?? 0, levelOf(key) as Level);
      }
      return sources.map(({ number, id, rank, source }, at) => ({
        ...{ number, id, rank, source },
        keys: keys.subarray(ends[at - 1] ?? 0, ends[at]).sort(),
        name: BigInt(hashes[at] ?? 0),
      }));
    },
    async writeWords() {
      const rows = [...words].map(([word, token_id]) => ({ word, token_id }));
      await sql`
        insert into search_word (word, token_id)
        select word, token_id
        from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as made (word text, token_id int)
        on conflict (word) do nothing`;
    },
  };
}

const placeOf = (key: number) => Math.floor(key / 8);

/** The hashes by which titles are found as a whole; with all their digits, as texts. */
async function hashNames(sql: Sql, names: readonly string[]): Promise<string[]> {
  const rows = await sql<{ hash: string }[]>`
    select hashtextextended(name, 0)::text as hash
    from unnest(${arrayText(names)}::text::text[]) with ordinality as listed (name, place)
    order by place`;
  return rows.map(({ hash }) => hash);
}
