import { randomBytes } from 'node:crypto';

/** The trace that a request belongs to (W3C Trace Context), and the span that we are in it. */
export type Trace = { id: string; span: string };

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-|$)/;

/** Reads a `traceparent` field; null when there is none that is valid. Nothing but the log goes by it. */
export function readTrace(traceparent: string | string[] | undefined): Trace | null {
  if (typeof traceparent !== 'string') return null;
  const [, version = 'ff', id = '', parent = '', end] = TRACEPARENT.exec(traceparent) ?? [];
  // Only later versions have more fields; ids of zeros are none.
  if (version === 'ff' || (version === '00' && end === '-')) return null;
  if (/^0*$/.test(id) || /^0*$/.test(parent)) return null;
  return { id, span: randomBytes(8).toString('hex') };
}

/** The field `traceresponse`: under which span our log has the request. We sample nothing. */
export const traceResponse = ({ id, span }: Trace): string => `00-${id}-${span}-00`;
