import { setImmediate } from 'node:timers/promises';
import { arrayText } from '../connection/arrays.ts';
import type { Sql } from '../connection/client.ts';
import {
  aiCategoryToken,
  categoryToken,
  EVERY,
  EVERYWHERE,
  FIELDS,
  keyOf,
  LEVELS,
  merchantToken,
  priceTokens,
} from './format.ts';
import type { SearchSource, SearchText } from './sources.ts';

/** The search tokens of one record, as src/understand makes them, and its title as a query would say it. */
export type SearchTokens = Record<(typeof FIELDS)[number], string[]> & { name: string };

/** The analysis that the index is made with (src/understand over a lexicon). */
export type Analyser = {
  version: string;
  document(text: SearchText): SearchTokens;
  concepts(name: string): string[];
  /** The words of a text as people write them, with the tokens that they are searched by. */
  words(text: string): { word: string; token: string }[];
};

/** A record with its keys, ascending. */
export type IndexedRecord = Pick<SearchSource, 'place' | 'id' | 'rank' | 'source'> & {
  keys: number[];
  name: string;
};

/** A record with its tokens, those of its filters, and its words. */
type AnalysedRecord = {
  source: SearchSource;
  terms: SearchTokens;
  filters: string[];
  words: ReturnType<Analyser['words']>;
};

/** Gives records their keys; knows the ids of the tokens that it has met. */
export type Keyer = {
  /** Asks nothing of the database, and lets it be written to meanwhile. */
  analyse(sources: SearchSource[]): Promise<AnalysedRecord[]>;
  index(analysed: AnalysedRecord[]): Promise<IndexedRecord[]>;
  /** Writes the words of all titles and brands seen. */
  writeWords(): Promise<void>;
};

/** How many records are analysed before statements on their way are served: some 20 ms. */
const RECORDS_A_TURN = 100;

/** Opens a keyer inside the transaction of an import. */
export function openKeyer(sql: Sql, analyser: Analyser): Keyer {
  const ids = new Map<string, number>();
  const words = new Map<string, number>();

  async function learn(analysed: readonly AnalysedRecord[]): Promise<void> {
    const unknown = new Set<string>();
    for (const { terms, filters, words: own } of analysed) {
      const spelled = own.map(({ token }) => token);
      for (const tokens of [...FIELDS.map((field) => terms[field]), filters, spelled]) {
        for (const token of tokens) if (!ids.has(token)) unknown.add(token);
      }
    }
    if (unknown.size === 0) return;
    const rows = await sql<{ token: string; id: number }[]>`
      with wanted as (
        select distinct unnest(${arrayText([...unknown])}::text::text[]) as token
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
    async analyse(sources) {
      const analysed: AnalysedRecord[] = [];
      for (const [place, source] of sources.entries()) {
        if (place % RECORDS_A_TURN === 0) await setImmediate();
        analysed.push({
          source,
          terms: analyser.document(source),
          filters: filterTokens(source),
          words: analyser.words(`${source.title} ${source.brand ?? ''}`),
        });
      }
      return analysed;
    },
    async index(analysed) {
      await learn(analysed);
      const idOf = (token: string) => ids.get(token) ?? 0;
      for (const { words: own } of analysed) {
        for (const { word, token } of own) words.set(word, idOf(token));
      }
      return analysed.map(({ source, terms, filters }) => ({
        place: source.place,
        id: source.id,
        rank: source.rank,
        source: source.source,
        keys: recordKeys(terms, filters, idOf),
        name: terms.name,
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
  terms: SearchTokens,
  filters: string[],
  idOf: (token: string) => number,
): number[] {
  const keys = filters.map((token) => keyOf(idOf(token), LEVELS.filter));
  const known = new Set<string>();
  for (const field of FIELDS) {
    for (const token of terms[field]) {
      if (!known.has(token)) keys.push(keyOf(idOf(token), LEVELS[field]));
      known.add(token);
    }
  }
  return [...new Set(keys)].sort((a, b) => a - b);
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
