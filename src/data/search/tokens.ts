import { arrayText } from '../connection/arrays.ts';
import type { Sql } from '../connection/client.ts';
import type { SearchSource, SearchText } from '../search-index/texts.ts';
import {
  aiCategoryToken,
  categoryToken,
  EVERY,
  EVERYWHERE,
  merchantToken,
  priceTokens,
} from './keys.ts';

/** The search tokens of one record, as src/understand makes them. */
export type SearchTokens = { head: string[]; title: string[]; body: string[] };

/** The analysis that the index is made with (src/understand over a lexicon). */
export type Analyser = {
  version: string;
  document(text: SearchText): SearchTokens;
  concepts(name: string): string[];
  /** The words of a text as people write them, with the tokens that they are searched by. */
  words(text: string): { word: string; token: string }[];
};

/** Where a record has a token; each level holds the ones before it. */
export const LEVELS = { filter: 0, head: 1, title: 2, anywhere: 3 } as const;
export type Level = (typeof LEVELS)[keyof typeof LEVELS];

/** The key of a token at a level. */
export const keyOf = (tokenId: number, level: Level): number => tokenId * 4 + level;

/** A record with its keys, ascending. */
export type IndexedRecord = Pick<SearchSource, 'place' | 'id' | 'rank' | 'source'> & {
  keys: number[];
};

/** Gives records their keys; knows the ids of the tokens that it has met. */
export type Keyer = {
  index(sources: SearchSource[]): Promise<IndexedRecord[]>;
  /** Writes the words of all titles and brands seen. */
  writeWords(): Promise<void>;
};

/** Opens a keyer inside the transaction of an import. */
export function openKeyer(sql: Sql, analyser: Analyser): Keyer {
  const ids = new Map<string, number>();
  const words = new Map<string, number>();

  async function learn(tokens: Set<string>): Promise<void> {
    const unknown = [...tokens].filter((token) => !ids.has(token));
    if (unknown.length === 0) return;
    const rows = await sql<{ token: string; id: number }[]>`
      with wanted as (
        select distinct unnest(${arrayText(unknown)}::text::text[]) as token
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
    async index(sources) {
      const analysed = sources.map((source) => ({
        source,
        terms: analyser.document(source),
        filters: filterTokens(source),
        words: analyser.words(`${source.title} ${source.brand ?? ''}`),
      }));
      const all = analysed.flatMap(({ terms, filters, words: own }) => [
        ...[...terms.head, ...terms.title, ...terms.body, ...filters],
        ...own.map(({ token }) => token),
      ]);
      await learn(new Set(all));
      const idOf = (token: string) => ids.get(token) ?? 0;
      for (const { word, token } of analysed.flatMap((one) => one.words)) {
        words.set(word, idOf(token));
      }
      return analysed.map(({ source, terms, filters }) => ({
        place: source.place,
        id: source.id,
        rank: source.rank,
        source: source.source,
        keys: recordKeys(terms, filters, idOf),
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

function recordKeys(
  { head, title, body }: SearchTokens,
  filters: string[],
  idOf: (token: string) => number,
): number[] {
  const keys = new Set(filters.map((token) => keyOf(idOf(token), LEVELS.filter)));
  const add = (tokens: string[], from: Level) => {
    for (const token of tokens) {
      for (const level of [LEVELS.head, LEVELS.title, LEVELS.anywhere]) {
        if (level >= from) keys.add(keyOf(idOf(token), level));
      }
    }
  };
  add(head, LEVELS.head);
  add(title, LEVELS.title);
  add(body, LEVELS.anywhere);
  return [...keys].sort((a, b) => a - b);
}

function filterTokens(source: SearchSource): string[] {
  const { merchantId, categoryId, aiCategoryKey, price, places } = source;
  const tokens = [EVERY, ...priceTokens(price), ...places];
  if (merchantId === null) tokens.push(EVERYWHERE);
  else tokens.push(merchantToken(merchantId));
  if (categoryId !== null) tokens.push(categoryToken(categoryId));
  if (aiCategoryKey !== null) tokens.push(aiCategoryToken(aiCategoryKey));
  return tokens;
}
