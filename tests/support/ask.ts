import { exchange } from './http.ts';

/** An answer: its status, header fields and text. */
export type Answer = { status: number; headers: Record<string, unknown>; text: string };

/** Sends a GET, or a POST with a body, as a client behind the edge. */
export async function ask(
  url: string,
  path: string,
  options: { client?: string; body?: unknown } = {},
): Promise<Answer> {
  const { client, body } = options;
  const headers: Record<string, string> = {
    accept: 'application/json',
    ...(client === undefined ? {} : { 'x-forwarded-for': client }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const answer = await exchange(url, {
    method: body === undefined ? 'GET' : 'POST',
    path,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, headers: answer.headers, text: answer.body.toString() };
}
