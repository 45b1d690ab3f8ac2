import type { Sql } from './client.ts';

/** The search tokens of one record, as src/understand makes them. */
export type SearchTokens = { head: string[]; title: string[]; body: string[] };

/** What the analysis of a record reads; `category` holds its category and that one's ancestors. */
export type SearchText = {
  id: number;
  title: string;
  brand: string | null;
  category: string | null;
  body: string | null;
};

/** The analysis that the index is made with (src/understand over a lexicon). */
export type Analyser = {
  version: string;
  document(text: SearchText): SearchTokens;
  concepts(name: string): string[];
};

const BATCH_ROWS = 1000;

/** The version of the lexicon that the index was made with; null before the first time. */
export async function indexedLexicon(sql: Sql): Promise<string | null> {
  const [row] = await sql<{ version: string | null }[]>`
    select lexicon_version as version from catalog_state`;
  return row?.version ?? null;
}

/** Makes the whole search index anew, inside the caller's transaction; tells how many are done. */
export async function rebuildSearchIndex(
  sql: Sql,
  analyser: Analyser,
  onProgress: (done: number) => void = () => {},
): Promise<void> {
  await indexCategories(sql, analyser);
  await sql`truncate product_search, offer_search`;
  let done = 0;
  for (const kind of ['product', 'offer'] as const) {
    for await (const texts of readTexts(sql, kind, null)) {
      await writeTokens(sql, kind, texts, analyser);
      done += texts.length;
      onProgress(done);
    }
  }
  await sql`update catalog_state set lexicon_version = ${analyser.version}`;
}

/** Brings the index up to date for the records of a feed, inside the caller's transaction. */
export async function indexRecords(
  sql: Sql,
  analyser: Analyser,
  changed: { products: number[]; offers: number[] },
): Promise<void> {
  await indexCategories(sql, analyser);
  for (const [kind, ids] of [
    ['product', changed.products],
    ['offer', changed.offers],
  ] as const) {
    for await (const texts of readTexts(sql, kind, ids)) {
      await writeTokens(sql, kind, texts, analyser);
    }
  }
}

async function indexCategories(sql: Sql, analyser: Analyser): Promise<void> {
  const rows = await sql<{ id: number; name: string }[]>`select id, name from category`;
  const concepts = rows.map(({ id, name }) => ({ id, concepts: analyser.concepts(name) }));
  await sql`
    update category set concepts = made.concepts
    from jsonb_to_recordset(${JSON.stringify(concepts)}::text::jsonb) as made (id bigint, concepts text[])
    where category.id = made.id and category.concepts <> made.concepts`;
}

type Kind = 'product' | 'offer';

async function* readTexts(
  sql: Sql,
  kind: Kind,
  ids: number[] | null,
): AsyncGenerator<SearchText[]> {
  const wanted = ids === null ? null : `{${ids.join(',')}}`;
  let last = '-9223372036854775808';
  for (;;) {
    const rows: SearchText[] =
      kind === 'product'
        ? await productTexts(sql, wanted, last)
        : await offerTexts(sql, wanted, last);
    if (rows.length === 0) return;
    yield rows;
    last = String(rows.at(-1)?.id);
  }
}

async function productTexts(sql: Sql, wanted: string | null, after: string) {
  return sql<SearchText[]>`
    with recursive path as (
      select id, name, parent_id, 1 as depth from category
      union all
      select path.id, parent.name, parent.parent_id, depth + 1
      from path join category parent on parent.id = path.parent_id
      where depth < 10
    ), names as (
      select id, string_agg(name, ', ' order by depth) as names from path group by id
    )
    select p.id, p.name as title, p.brand, names.names as category, p.description as body
    from product p left join names on names.id = p.category_id
    where p.id > ${after}::text::bigint
      and (${wanted}::text is null or p.id = any(${wanted}::text::bigint[]))
    order by p.id limit ${BATCH_ROWS}`;
}

async function offerTexts(sql: Sql, wanted: string | null, after: string) {
  return sql<SearchText[]>`
    select o.id, o.title, p.brand,
      concat_ws(', ', o.ai_category, c.name) as category,
      concat_ws('. ', p.name, o.description, o.enriched_copy) as body
    from offer o
    left join product p on p.id = o.product_id
    left join category c on c.id = p.category_id
    where o.id > ${after}::text::bigint
      and (${wanted}::text is null or o.id = any(${wanted}::text::bigint[]))
    order by o.id limit ${BATCH_ROWS}`;
}

async function writeTokens(sql: Sql, kind: Kind, texts: SearchText[], analyser: Analyser) {
  const rows = texts.map((text) => ({ id: text.id, ...analyser.document(text) }));
  const table = sql(`${kind}_search`);
  await sql`
    insert into ${table} (id, head, title, body)
    select id, head, title, body
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
      as made (id bigint, head text[], title text[], body text[])
    on conflict (id) do update
    set head = excluded.head, title = excluded.title, body = excluded.body`;
}
