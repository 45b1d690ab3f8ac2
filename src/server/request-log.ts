import type { IncomingMessage } from 'node:http';
import type { Trace } from '../http/trace.ts';
import type { Logger } from '../log.ts';

/** What is known of a request that has been answered, or whose client left (status `none`). */
export type AnsweredRequest = {
  id: string;
  trace: Trace | null;
  route: string;
  status: number | 'none';
  seconds: number;
  /** Bytes of the connection meanwhile, header fields included. */
  bytes: number;
  request: IncomingMessage;
};

/** A longer path is cut. */
const PATH_LENGTH = 200;

/**
 * The access log: a line a request, without the query, which may hold what people search for, and without the
 * client. Null when nobody wants it: neither ACCESS_LOG nor LOG_LEVEL=debug.
 */
export function openRequestLog(log: Logger, accessLog: boolean) {
  // The line is wanted whatever LOG_LEVEL says of others.
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
