import { arrayText } from '../connection/arrays.ts';
import type { Sql } from '../connection/client.ts';
import { keyOf, type Level, levelOf } from './format.ts';
import type { Analysis } from './reader.ts';
import type { SearchSource } from './sources.ts';

/** A record with its keys in ascending order and a hash of its name. */
export type IndexedRecord = Pick<SearchSource, 'number' | 'id' | 'rank' | 'source'> & {
  keys: Int32Array;
  name: bigint;
};

/** Converts tokens to keys; caches the token ids it has seen. */
export type Keyer = {
  index(sources: readonly SearchSource[], analysis: Analysis): Promise<IndexedRecord[]>;
  /** Stores the words of all titles and brands seen. */
  writeWords(): Promise<void>;
};

/** Opens a keyer inside an import's transaction. */
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
    async index(sources, { tokens, keys, ends, names, words: titleWords }) {
      const [hashes] = await Promise.all([hashNames(sql, names), learn(tokens)]);
      const idAt = tokens.map((token) => ids.get(token) ?? 0);
      for (const { word, token } of titleWords) words.set(word, idAt[token] ?? 0);
      for (const [at, key] of keys.entries()) {
        keys[at] = keyOf(idAt[indexOf(key)] ?? 0, levelOf(key) as Level);
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

const indexOf = (key: number) => Math.floor(key / 8);

/** Hashes titles for known-item look-ups; as text, since a double would lose digits. */
async function hashNames(sql: Sql, names: readonly string[]): Promise<string[]> {
  const rows = await sql<{ hash: string }[]>`
    select hashtextextended(name, 0)::text as hash
    from unnest(${arrayText(names)}::text::text[]) with ordinality as listed (name, position)
    order by position`;
  return rows.map(({ hash }) => hash);
}
