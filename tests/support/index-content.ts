import type { Sql } from '../../src/data/connection/client.ts';
import { RANK_SHIFT } from '../../src/data/index/format.ts';

/** What the index says of each record: its rank, name and tokens by level, each token once; its postings alike. */
export async function indexContent(sql: Sql) {
  const records = await sql`
    select kind, id, number >> ${RANK_SHIFT}::int as rank, name,
      (select array_agg(token || ' ' || (key & 7) order by token, key)
       from unnest(keys) key join search_token t on t.id = key >> 3) as tokens
    from search_record order by kind, id`;
  const postings = await sql`
    select r.kind, r.id, count(*) as keys from search_posting p, unnest(p.numbers) number
    join search_record r using (number) where r.kind = p.kind and p.key = any(r.keys)
    group by r.kind, r.id order by 1, 2`;
  const doubled = await sql`
    select kind, id, key >> 3 as token from search_record, unnest(keys) key
    where key & 7 > 0 group by kind, id, key >> 3 having count(*) > 1`;
  const [sizes] = await sql`
    select (select sum(cardinality(numbers)) from search_posting) as held,
      (select sum(records) from search_posting) as counted,
      (select sum(cardinality(keys)) from search_record) as keys`;
  return { doubled: [...doubled], records: [...records], postings: [...postings], sizes };
}
