import postgres from 'postgres';
import { ApiError } from '../domain/errors.ts';

export type Sql = postgres.Sql<{ bigint: number }>;

type Options = {
  /** Connections in the pool. */
  max?: number;
  /** How long a statement may run on the server, in ms; 0 for commands and jobs. */
  statementTimeoutMs?: number;
  applicationName?: string;
};

/** Bigints come as numbers: every id and count of the catalog lies within 2^53-1 by construction. */
const bigint = {
  to: 20,
  from: [20],
  serialize: (value: number) => String(value),
  parse: (text: string) => Number(text),
};

/** Opens a pool; nothing is sent before the first statement. */
export function openDatabase(url: string, options: Options = {}): Sql {
  const { max = 8, statementTimeoutMs = 0, applicationName = 'vitrine' } = options;
  return postgres(url, {
    max,
    types: { bigint },
    onnotice: () => {},
    connect_timeout: 1,
    backoff: () => 0,
    max_lifetime: 60 * 30,
    connection: {
      application_name: applicationName,
      TimeZone: 'UTC',
      ...(statementTimeoutMs > 0 ? { statement_timeout: statementTimeoutMs } : {}),
    },
  });
}

/** Resolves when the database answers. */
export async function ping(sql: Sql): Promise<void> {
  await sql`select 1`;
}

/** How long an answer waits for the database, in ms (contract section 5). */
const DEADLINE_MS = 1000;
/** More statements than this under way mean that the database does not keep up. */
const MAX_IN_FLIGHT = 64;

/** What every failure of the database is for a caller. */
function unavailable(cause: unknown): ApiError {
  return new ApiError('INTERNAL_ERROR', { retryAfterSeconds: 1, cause });
}

/**
 * Waits for a result of the database no longer than the deadline. The statement is not cancelled: after
 * a cancel that meets a restarting server the pool of postgres.js never recovers.
 */
export async function withinDeadline<T>(work: PromiseLike<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the database is too slow')), DEADLINE_MS);
  });
  try {
    return await Promise.race([work, late]);
  } catch (cause) {
    throw unavailable(cause);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs work on the database within the deadline. */
export type Gate = <T>(work: () => PromiseLike<T>) => Promise<T>;

/**
 * Opens a gate in front of a pool: work is refused at once while too much is under way, so that a slow
 * database does not pile up callers.
 */
export function openGate(maxInFlight = MAX_IN_FLIGHT): Gate {
  let inFlight = 0;
  return async (work) => {
    if (inFlight >= maxInFlight) throw unavailable(new Error('too much is under way'));
    inFlight += 1;
    const running = Promise.resolve(work()).finally(() => {
      inFlight -= 1;
    });
    return withinDeadline(running);
  };
}

/**
 * An array as Postgres reads it from text, for `${arrayText(ids)}::text::bigint[]`: postgres.js knows
 * the types of arrays only after its first connection, and bigints never.
 */
export function arrayText(values: readonly (string | number | boolean)[]): string {
  const quoted = values.map((value) =>
    typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"` : String(value),
  );
  return `{${quoted.join(',')}}`;
}
