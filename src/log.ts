import { type Logger, pino } from 'pino';

export type { Logger };

/** The log: JSON lines on stderr. Nobody logs an address of a client. */
export function openLog(level: string): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2));
}
