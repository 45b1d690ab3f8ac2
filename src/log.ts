import { type Logger, pino } from 'pino';

export type { Logger };

/** Opens the log: JSON lines on stderr, never with a client's address. */
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
 * Serialises an error without its other properties: database and Redis errors carry the statement and its
 * parameters, which may include a client's address.
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

/** Failures with the same message logged per second; further ones are only counted. */
const SAME_PER_SECOND = 5;
/** Distinct messages tracked. */
const KINDS = 200;

/**
 * Returns a rate-limited logger of request failures, each with the request's id and trace. During an outage every
 * request fails with the same message: a few per second are logged, with the number left out.
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
