import type { Sql } from './connection/client.ts';

/** First key of the publishers' advisory locks; the second identifies their folder. */
const PUBLISH_LOCK = 726_114;

/**
 * Runs work under an exclusive session-level advisory lock; calls `onWait` if it has to wait for it. Postgres
 * releases the lock when its holder dies, so no stale lock is left.
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
