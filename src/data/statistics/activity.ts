import type { Sql } from '../connection/client.ts';

/** One view event as `record_views` takes it; `at` is an ISO instant, now when absent. */
export type View = { kind: 'product' | 'offer'; id: number; source: 'user' | 'agent'; at?: string };

/** A view that waited: its instant is told as an age, because only the database's clock stamps events. */
export type WaitingView = Omit<View, 'at'> & { ageMs: number };

/** One reaction as `set_reaction` takes it. */
export type Reaction = { productId: number; user: string; reaction: 'like' | 'dislike' | null };

/**
 * Records a batch of views, all or nothing; resolves when they are durable. A batch with a key that
 * was recorded before records nothing.
 */
export async function recordViews(
  sql: Sql,
  views: View[],
  batchKey: string | null = null,
): Promise<number> {
  const [row] = await sql<{ recorded: number }[]>`
    select record_views(${JSON.stringify(views)}::text::jsonb, ${batchKey}) as recorded`;
  return row?.recorded ?? 0;
}

/** The first event of a batch that `record_views` refuses, by its index, and why; null when there is none. */
export async function findRefusedView(
  sql: Sql,
  views: View[],
): Promise<{ index: number; reason: string } | null> {
  const [row] = await sql<{ index: number; reason: string }[]>`
    select place - 1 as index, reason
    from jsonb_array_elements(${JSON.stringify(views)}::text::jsonb) with ordinality as given (event, place)
    cross join view_event_fault(event, clock_timestamp()) as reason
    where reason is not null order by place limit 1`;
  return row ?? null;
}

/** What waited longer counts as this old: `record_views` takes nothing that lies more than 48 hours back. */
const MOST_AGE = '47 hours 59 minutes';

/**
 * Records a batch of views that waited, once, like `recordViews`. A server whose clock is ahead of the
 * database's would else see its views refused, because they lie in the future.
 */
export async function recordWaitingViews(
  sql: Sql,
  views: WaitingView[],
  batchKey: string,
): Promise<void> {
  await sql`
    select record_views((
      select jsonb_agg(jsonb_build_object('kind', kind, 'id', id, 'source', source, 'at',
        clock_timestamp() - least("ageMs" * interval '1 millisecond', ${MOST_AGE}::text::interval)))
      from jsonb_to_recordset(${JSON.stringify(views)}::text::jsonb)
        as waiting (kind text, id bigint, source text, "ageMs" float8)
    ), ${batchKey})`;
}

/** Sets a batch of reactions in one statement. */
export async function setReactions(sql: Sql, reactions: Reaction[]): Promise<void> {
  await sql`
    select count(set_reaction(product_id, reacting_user, reaction))
    from jsonb_to_recordset(${JSON.stringify(
      reactions.map(({ productId, user, reaction }) => ({
        product_id: productId,
        reacting_user: user,
        reaction,
      })),
    )}::text::jsonb) as r (product_id bigint, reacting_user text, reaction text)`;
}
