import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';

export type JsonAnswer = { status: number; headers: Headers; body: Record<string, unknown> };

/** Fetches a URL and reads its JSON body ({} when there is none). */
export async function getJson(url: string, init: RequestInit = {}): Promise<JsonAnswer> {
  const response = await fetch(url, init);
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
  };
}

/** Sends one JSON-RPC message to /mcp. */
export async function postRpc(
  base: string,
  message: unknown,
  headers: Record<string, string> = {},
  path = '/mcp',
): Promise<JsonAnswer> {
  return getJson(base + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });
}

export type ToolResult = {
  isError?: boolean;
  content: { type: string; text?: string; uri?: string; mimeType?: string }[];
  // The shape differs by tool; tests look into it.
  structuredContent?: Record<string, never>;
};

/** The message that calls a tool of the catalog server. */
export const toolCall = (name: string, args: Record<string, unknown>, id = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

const LATE_ANSWERS = 5;

/** Calls a tool and returns its result; asks again when a busy machine is late and says so by Retry-After. */
export async function callTool(
  base: string,
  name: string,
  args: Record<string, unknown>,
): Promise<ToolResult> {
  let answer = await postRpc(base, toolCall(name, args));
  for (let late = 0; late < LATE_ANSWERS; late += 1) {
    if (answer.status !== 500 || !answer.headers.has('retry-after')) break;
    answer = await postRpc(base, toolCall(name, args));
  }
  const { body } = answer;
  if (body.result === undefined) throw new Error(`no result: ${JSON.stringify(body)}`);
  return body.result as ToolResult;
}

/** Sends raw bytes and returns all that comes back until the connection ends. */
export function sendRaw(base: string, bytes: string, timeoutMs = 8000): Promise<string> {
  const { hostname, port } = new URL(base);
  return new Promise((done, fail) => {
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.setTimeout(timeoutMs, () => socket.destroy());
    socket.on('data', (chunk) => {
      answer += chunk.toString('utf8');
    });
    socket.on('error', fail);
    socket.on('close', () => done(answer));
    socket.write(bytes);
  });
}

export type Exchange = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** One request on a connection of its own and its answer, with nothing decoded or added. */
export function exchange(
  base: string,
  {
    method,
    path,
    headers,
    body,
  }: { method: string; path: string; headers: Record<string, string>; body?: string },
): Promise<Exchange> {
  const { hostname, port } = new URL(base);
  return new Promise((done, fail) => {
    const outgoing = request({ hostname, port, method, path, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('end', () =>
        done({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: Buffer.concat(chunks),
        }),
      );
    });
    outgoing.on('error', fail);
    outgoing.end(body);
  });
}
