import { randomBytes } from 'node:crypto';

/** The trace that a request belongs to (W3C Trace Context), and our span in it. */
export type Trace = { id: string; span: string };

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-|$)/;

/** Parses a `traceparent` field; null if it is missing or invalid. Only the log uses it. */
export function readTrace(traceparent: string | string[] | undefined): Trace | null {
  if (typeof traceparent !== 'string') return null;
  const [, version = 'ff', id = '', parent = '', end] = TRACEPARENT.exec(traceparent) ?? [];
  // Version 00 has no further fields; all-zero ids are invalid.
  if (version === 'ff' || (version === '00' && end === '-')) return null;
  if (/^0*$/.test(id) || /^0*$/.test(parent)) return null;
  return { id, span: randomBytes(8).toString('hex') };
}

/** Returns the `traceresponse` field: the span under which our log has the request, not sampled. */
export const traceResponse = ({ id, span }: Trace): string => `00-${id}-${span}-00`;
