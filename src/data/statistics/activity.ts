import type { Sql } from '../connection/client.ts';

/** A view event in the shape of `record_views`; `at` is an ISO instant, by default now. */
export type View = { kind: 'product' | 'offer'; id: number; source: 'user' | 'agent'; at?: string };

/** A buffered view: its time is an age, because only the database's clock stamps events. */
export type WaitingView = Omit<View, 'at'> & { ageMs: number };

/** A reaction in the shape of `set_reaction`. */
export type Reaction = { productId: number; user: string; reaction: 'like' | 'dislike' | null };

/** Records a batch of views, all or nothing, and returns their number once durable; 0 for a repeated `batchKey`. */
export async function recordViews(
  sql: Sql,
  views: View[],
  batchKey: string | null = null,
): Promise<number> {
  const [row] = await sql<{ recorded: number }[]>`
    select record_views(${JSON.stringify(views)}::text::jsonb, ${batchKey}) as recorded`;
  return row?.recorded ?? 0;
}

/** Finds the first event that `record_views` rejects, with its index and the reason; null if there is none. */
export async function findRefusedView(
  sql: Sql,
  views: View[],
): Promise<{ index: number; reason: string } | null> {
  const [row] = await sql<{ index: number; reason: string }[]>`
    select position - 1 as index, reason
    from jsonb_array_elements(${JSON.stringify(views)}::text::jsonb) with ordinality as given (event, position)
    cross join view_event_fault(event, clock_timestamp()) as reason
    where reason is not null order by position limit 1`;
  return row ?? null;
}

/** The age of older views is capped: `record_views` accepts events of at most 48 hours ago. */
const MOST_AGE = '47 hours 59 minutes';

/**
 * Records a batch of buffered views, idempotent like `recordViews`. Ages instead of instants: if this server's
 * clock were ahead, the database would reject its views as future events.
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
