import type { Sql } from '../connection/client.ts';
import { KINDS, type Kind, LEVELS, RANK_SHIFT } from './format.ts';
import type { Keyer } from './keyer.ts';
import { type Reader, readAhead } from './reader.ts';
import { dropUnchanged, indexable, readSources } from './sources.ts';

/** Above this many changed records a rebuild may be faster… */
const MANY_RECORDS = 5000;
/** …if they are also more than this share of the index. */
const MANY_SHARE = 0.15;

/** Reduces `search_wanted` to records whose source changed; returns their number, and whether a rebuild is faster. */
export async function countChanges(sql: Sql): Promise<{ changed: number; isTooMany: boolean }> {
  for (const kind of ['product', 'offer'] as const) await dropUnchanged(sql, kind);
  await sql`
    update search_wanted set position = numbered.position
    from (
      select kind, id, row_number() over (order by kind, id) as position from search_wanted
    ) numbered
    where search_wanted.kind = numbered.kind and search_wanted.id = numbered.id`;
  const [row] = await sql<{ changed: number; indexed: number }[]>`
    select (select count(*) from search_wanted) as changed,
      (select count(*) from search_record) as indexed`;
  const { changed = 0, indexed = 0 } = row ?? {};
  return { changed, isTooMany: changed > Math.max(MANY_RECORDS, indexed * MANY_SHARE) };
}

/** Applies the changes of the records in `search_wanted` to the index. */
export async function applyChanges(
  sql: Sql,
  kind: Kind,
  keyer: Keyer,
  reader: Reader,
): Promise<void> {
  await sql`drop table if exists search_change`;
  await sql`
    create temp table search_change (
      id bigint primary key, rank int, keys int[], name bigint, source uuid, number int,
      old_keys int[], old_number int
    ) on commit drop`;
  for await (const { sources, analysis } of readAhead(readSources(sql, kind), reader)) {
    const indexed = await keyer.index(sources, analysis);
    const records = indexed.map(({ keys, name, ...record }) => ({
      ...record,
      keys: [...keys],
      name: String(name),
    }));
    await sql`
      insert into search_change (id, rank, keys, name, source)
      select made.id, made.rank, made.keys, made.name, made.source
      from jsonb_to_recordset(${JSON.stringify(records)}::text::jsonb)
        as made (id bigint, rank int, keys int[], name bigint, source uuid)`;
  }
  await sql`
    insert into search_change (id, old_keys, old_number)
    select record.id, record.keys, record.number
    from search_wanted wanted join search_record record
      on record.kind = wanted.kind and record.id = wanted.id
    where wanted.kind = ${KINDS[kind]}
    on conflict (id) do update
    set old_keys = excluded.old_keys, old_number = excluded.old_number`;
  // Offers that can never become public again leave the index.
  await sql`
    update search_change set keys = null where id in (
      select item.id from ${sql(kind)} item join search_change using (id)
      where not ${indexable(sql, kind)})`;
  await numberChanges(sql, kind);
  await mergePostings(sql, kind);
  await sql`
    delete from search_record record using search_change change
    where record.kind = ${KINDS[kind]} and record.number = change.old_number`;
  await sql`
    insert into search_record (kind, number, id, keys, name, source)
    select ${KINDS[kind]}, number, id, keys, name, source
    from search_change where keys is not null`;
}

/** Assigns numbers: unchanged for the same rank, else the record's preferred number or the next free one. */
async function numberChanges(sql: Sql, kind: Kind): Promise<void> {
  await sql`
    update search_change
    set number = case when old_number >> ${RANK_SHIFT}::int = rank then old_number
      else search_number(rank, id) end
    where keys is not null`;
  for (;;) {
    const { count } = await sql`
      update search_change change set number = number + 1
      where number is distinct from old_number and keys is not null and (
        exists (
          select from search_record record
          where record.kind = ${KINDS[kind]} and record.number = change.number)
        or exists (
          select from search_change other
          where other.number = change.number and other.id < change.id))`;
    if (count === 0) return;
  }
}

async function mergePostings(sql: Sql, kind: Kind): Promise<void> {
  await sql`drop table if exists search_moved`;
  await sql`
    create temp table search_moved on commit drop as
    select key, bucket,
      coalesce(array_agg(number order by number) filter (where came), '{}') as came,
      coalesce(array_agg(number order by number) filter (where not came), '{}') as gone
    from (
      select number, true as came,
        unnest(case when number = old_number then keys - old_keys else keys end) as key
      from search_change where keys is not null
      union all
      select old_number, false,
        unnest(case when number = old_number then old_keys - keys else old_keys end)
      from search_change where old_keys is not null
    ) moved
    cross join lateral (
      select max(bucket) as bucket from search_bucket
      where kind = ${KINDS[kind]} and first <= moved.number
    ) target
    group by key, bucket`;
  await sql`
    merge into search_posting posting using search_moved change
    on posting.kind = ${KINDS[kind]} and posting.key = change.key
      and posting.bucket = change.bucket
    when matched and posting.records + cardinality(came) = cardinality(gone) then delete
    when matched then update set
      records = posting.records + cardinality(came) - cardinality(gone),
      numbers = (posting.numbers - gone) | came
    when not matched then insert values
      (${KINDS[kind]}, change.key, change.bucket, cardinality(came), came)`;
  // Words that no title contains any more must not be suggested as corrections.
  await sql`
    delete from search_word word using search_moved moved
    where moved.key & 7 between ${LEVELS.head} and ${LEVELS.aside} and cardinality(moved.gone) > 0
      and word.token_id = moved.key >> 3
      and not exists (
        select from search_posting posting
        where posting.kind in (1, 2)
          and posting.key between word.token_id * 8 + ${LEVELS.head} and word.token_id * 8 + ${LEVELS.aside})`;
}
