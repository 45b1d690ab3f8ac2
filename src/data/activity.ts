import type { Sql } from './client.ts';

/** One view event as `record_views` takes it; `at` is an ISO instant, now when absent. */
export type View = { kind: 'product' | 'offer'; id: number; source: 'user' | 'agent'; at?: string };

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
