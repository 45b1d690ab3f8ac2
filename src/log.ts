import { type Logger, pino } from 'pino';

export type { Logger };

/** The log: JSON lines on stderr. Nobody logs an address of a client. */
export function openLog(level: string): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
  };
  return pino(options, pino.destination(2));
}

/**
 * What the log says of an error. Nothing but words and place: errors of the database and of Redis carry
 * the statement and its parameters, and among these may be the address of a client.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  const code = (error as NodeJS.ErrnoException).code;
  return {
    name,
    message,
    ...(code === undefined ? {} : { code }),
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
    stack,
  };
}

/** Failures with the same words that are logged within a second; the others are only counted. */
const SAME_PER_SECOND = 5;
/** Different words that are told apart. */
const KINDS = 200;

/**
 * Logs failures of requests, each with the id of its request and its trace. While something is down every request
 * fails with the same words: a few of them a second are written, and how many were left out.
 */
export function failureLog(log: Logger, now: () => number = () => performance.now()) {
  const seen = new Map<string, { since: number; count: number }>();
  return (error: unknown, call?: { id: string; trace?: string | undefined }): void => {
    const name = { request: call?.id, trace: call?.trace };
    const words = error instanceof Error ? error.message : String(error);
    const at = now();
    const last = seen.get(words);
    if (last !== undefined && at - last.since < 1000) {
      last.count += 1;
      if (last.count > SAME_PER_SECOND) return;
      log.error({ err: error, ...name }, 'request failed');
      return;
    }
    const leftOut = Math.max(0, (last?.count ?? 0) - SAME_PER_SECOND);
    if (seen.size >= KINDS) seen.clear();
    seen.set(words, { since: at, count: 1 });
    log.error({ err: error, ...name, ...(leftOut > 0 ? { leftOut } : {}) }, 'request failed');
  };
}
