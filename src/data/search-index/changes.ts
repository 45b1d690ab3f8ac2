import type { Sql } from '../connection/client.ts';
import { SERIALS } from '../search/keys.ts';
import type { Keyer } from '../search/tokens.ts';
import { dropUnchanged, indexable, KINDS, type Kind, readSources } from './texts.ts';

/** From this many changed records on a rebuild may be quicker… */
const MANY_RECORDS = 5000;
/** …namely when they are this share of the index. */
const MANY_SHARE = 0.15;

/**
 * Leaves in `search_wanted` only records whose source differs from what the index was made from, and
 * tells whether they are so many that the index is better made anew.
 */
export async function tooManyChanges(sql: Sql): Promise<boolean> {
  for (const kind of ['product', 'offer'] as const) await dropUnchanged(sql, kind);
  await sql`
    update search_wanted set place = numbered.place
    from (
      select kind, id, row_number() over (order by kind, id) as place from search_wanted
    ) numbered
    where search_wanted.kind = numbered.kind and search_wanted.id = numbered.id`;
  const [row] = await sql<{ changed: number; indexed: number; serial: number | null }[]>`
    select (select count(*) from search_wanted) as changed,
      (select count(*) from search_record) as indexed,
      (select max(serial) from search_state) as serial`;
  if (row === undefined || row.serial === null) return true;
  if (row.serial + row.changed >= SERIALS) return true;
  return row.changed > Math.max(MANY_RECORDS, row.indexed * MANY_SHARE);
}

/** Moves the records of `search_wanted` in the index from what they were to what they are. */
export async function applyChanges(sql: Sql, kind: Kind, keyer: Keyer): Promise<void> {
  await sql`drop table if exists search_change`;
  await sql`
    create temp table search_change (
      id bigint primary key, rank int, keys int[], source uuid, number int,
      old_keys int[], old_number int
    ) on commit drop`;
  for await (const sources of readSources(sql, kind)) {
    await sql`
      insert into search_change (id, rank, keys, source)
      select made.id, made.rank, made.keys, made.source
      from jsonb_to_recordset(${JSON.stringify(await keyer.index(sources))}::text::jsonb)
        as made (id bigint, rank int, keys int[], source uuid)`;
  }
  await sql`
    insert into search_change (id, old_keys, old_number)
    select record.id, record.keys, record.number
    from search_wanted wanted join search_record record
      on record.kind = wanted.kind and record.id = wanted.id
    where wanted.kind = ${KINDS[kind]}
    on conflict (id) do update
    set old_keys = excluded.old_keys, old_number = excluded.old_number`;
  // An offer that can never be public again leaves the index.
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
    insert into search_record (kind, number, id, keys, source)
    select ${KINDS[kind]}, number, id, keys, source from search_change where keys is not null`;
}

/** A record of the same rank keeps its number; the others get new ones, which say: the newest. */
async function numberChanges(sql: Sql, kind: Kind): Promise<void> {
  await sql`
    with fresh as (
      select id, row_number() over (order by id) as place from search_change
      where keys is not null and old_number >> 26 is distinct from rank
    ), state as (
      update search_state set serial = serial + (select count(*) from fresh)
      where kind = ${KINDS[kind]} returning serial
    )
    update search_change change
    set number = coalesce(
      (change.rank << 26) + (1 << 26) - 1
        - (select state.serial - fresh.place + 1 from fresh, state where fresh.id = change.id)::int,
      change.old_number)
    where change.keys is not null`;
}

async function mergePostings(sql: Sql, kind: Kind): Promise<void> {
  await sql`
    merge into search_posting posting
    using (
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
      ) place
      group by key, bucket
    ) change
    on posting.kind = ${KINDS[kind]} and posting.key = change.key
      and posting.bucket = change.bucket
    when matched and posting.records + cardinality(came) = cardinality(gone) then delete
    when matched then update set
      records = posting.records + cardinality(came) - cardinality(gone),
      numbers = (posting.numbers - gone) | came
    when not matched then insert values
      (${KINDS[kind]}, change.key, change.bucket, cardinality(came), came)`;
}
