import type { IncomingMessage } from 'node:http';
import type { Trace } from '../http/trace.ts';
import type { Logger } from '../log.ts';

/** A finished request; its status is `none` if the client left before the answer. */
export type AnsweredRequest = {
  id: string;
  trace: Trace | null;
  route: string;
  status: number | 'none';
  seconds: number;
  /** Bytes written to the connection, header fields included. */
  bytes: number;
  request: IncomingMessage;
};

/** Longer paths are cut. */
const PATH_LENGTH = 200;

/**
 * Opens the access log: a line per request, without the query (it may hold search terms) or the client's address.
 * Null unless ACCESS_LOG=on or LOG_LEVEL=debug.
 */
export function openRequestLog(log: Logger, accessLog: boolean) {
  // ACCESS_LOG overrides LOG_LEVEL.
  const lines = accessLog ? log.child({}, { level: 'info' }) : log;
  const level = accessLog ? 'info' : 'debug';
  if (!lines.isLevelEnabled(level)) return null;
  return ({ id, trace, route, status, seconds, bytes, request }: AnsweredRequest): void => {
    const path = (request.url ?? '').split('?', 1)[0]?.slice(0, PATH_LENGTH);
    const { method } = request;
    const ms = Math.round(seconds * 10_000) / 10;
    const at = trace === null ? {} : { trace: trace.id, span: trace.span };
    lines[level]({ request: id, ...at, route, method, path, status, bytes, ms }, 'request');
  };
}
