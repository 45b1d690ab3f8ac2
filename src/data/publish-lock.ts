import type { Sql } from './connection/client.ts';

/** First key of the session locks that keep publishers apart; the second one tells their folder. */
const PUBLISH_LOCK = 726_114;

/**
 * Does work while no other session holds the lock of the same key, and waits until then; `onWait` is told. The
 * database lets go by itself when a holder dies, so that nothing is left to clear away.
 */
export async function withPublishLock<T>(
  sql: Sql,
  key: number,
  work: () => Promise<T>,
  onWait: () => void = () => {},
): Promise<T> {
  const session = await sql.reserve();
  try {
    const [row] = await session<{ held: boolean }[]>`
      select pg_try_advisory_lock(${PUBLISH_LOCK}, ${key}::int) as held`;
    if (row?.held !== true) {
      onWait();
      await session`select pg_advisory_lock(${PUBLISH_LOCK}, ${key}::int)`;
    }
    try {
      return await work();
    } finally {
      await session`select pg_advisory_unlock(${PUBLISH_LOCK}, ${key}::int)`;
    }
  } finally {
    session.release();
  }
}
