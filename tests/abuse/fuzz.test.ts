import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ERRORS, errorSchema } from '../../src/domain/errors.ts';
import { LONG } from '../support/long.ts';
import { askRaw, type RawAnswer } from '../support/raw-client.ts';
import { sharedService } from '../support/service.ts';

const DOCUMENTED = new Set([
  200,
  202,
  204,
  304,
  308,
  ...Object.values(ERRORS).map(({ status }) => status),
]);
/** Signs of leaked internals: stack frames, modules, statements, addresses. */
const INTERNAL =
  /node_modules|\bat .*\.ts:\d|postgres|ECONN|select .* from|TypeError|127\.0\.0\.1:\d/i;

const byte = fc.integer({ min: 0, max: 255 });
const noise = fc
  .uint8Array({ maxLength: 40 })
  .map((bytes) => Buffer.from(bytes).toString('latin1'));
const token = fc.stringMatching(/^[A-Z]{1,12}$/);
const method = fc.oneof(
  fc.constantFrom('GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE', 'CONNECT', 'PATCH'),
  token,
);
const id = fc.oneof(
  fc.constantFrom(
    '0',
    '-1',
    '01',
    '1e3',
    '9007199254740992',
    '%31',
    '1%00',
    '１',
    '',
    '+1',
    '1.0',
    '..',
  ),
  fc.nat().map(String),
  fc.stringMatching(/^[!-~]{0,30}$/),
);
const path = fc.oneof(
  id.map((part) => `/api/public/v1/products/${part}/stats`),
  id.map((part) => `/api/public/v1/merchants/${part}/stats`),
  id.map((part) => `/offers/${part}`),
  id.map((part) => `/gpt/products.json?limit=${part}`),
  fc.constantFrom('/', '/mcp', '/mcp/', '//mcp', '/%6dcp', '/llms.txt', '/../etc/passwd', '*', ''),
  fc.stringMatching(/^\/[!-~]{0,80}$/),
  noise,
);
const header = fc.oneof(
  fc.constantFrom(
    'Host: evil.example',
    'Content-Length: -1',
    'Content-Length: 1\r\nContent-Length: 2',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: gzip, chunked',
    'Expect: 100-continue',
    'Expect: tea',
    'Connection: Upgrade\r\nUpgrade: h2c',
    'X-Forwarded-For: 1.2.3.4, , ::1, x',
    'Range: bytes=0-1,5-',
    'If-None-Match: "',
    'If-Modified-Since: never',
    'Accept-Encoding: br;q=x, *;q=',
    'Accept: text/event-stream',
    'Mcp-Protocol-Version: 1',
    `X-Long: ${'a'.repeat(9000)}`,
  ),
  fc
    .tuple(fc.stringMatching(/^[A-Za-z-]{1,20}$/), noise)
    .map(([name, value]) => `${name}: ${value}`),
  noise,
);
const rpc = fc.oneof(
  fc.json({ maxDepth: 6 }),
  fc
    .record({
      jsonrpc: fc.constantFrom('2.0', '1.0', 2),
      id: fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.constant({})),
      method: fc.constantFrom('tools/call', 'tools/list', 'initialize', 'ping', 'x', 'toString'),
      params: fc.oneof(
        fc.object(),
        fc.record({
          name: fc.constantFrom('search_local_products', 'get_product', 'get_offer', '__proto__'),
          arguments: fc.oneof(
            fc.object(),
            fc.record({
              query: fc.string({ unit: 'binary', maxLength: 450 }),
              limit: fc.integer(),
            }),
            fc.record({ product_id: fc.oneof(fc.integer(), fc.double(), fc.string()) }),
          ),
        }),
      ),
    })
    .map((value) => JSON.stringify(value)),
  fc.integer({ min: 20, max: 3000 }).map((depth) => '['.repeat(depth)),
);
const request = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(method, path, fc.array(header, { maxLength: 3 }), noise)
      .map(([verb, target, headers, body]) =>
        [`${verb} ${target} HTTP/1.1`, 'Host: localhost', ...headers, '', body].join('\r\n'),
      ),
  },
  {
    weight: 4,
    arbitrary: rpc.map((body) =>
      [
        'POST /mcp HTTP/1.1',
        'Host: localhost',
        'Content-Type: application/json',
        `Content-Length: ${Buffer.byteLength(body)}`,
        '',
        body,
      ].join('\r\n'),
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .array(byte, { minLength: 1, maxLength: 200 })
      .map((bytes) => Buffer.from(bytes).toString('latin1')),
  },
);

/** Checks what is promised for every answer. */
function check(text: string, { status, headers, body }: RawAnswer): void {
  expect(DOCUMENTED).toContain(status);
  expect(headers['x-content-type-options']).toBe('nosniff');
  if (status < 400) return;
  expect(headers['cache-control']).toBe('no-store');
  expect(body).not.toMatch(INTERNAL);
  if (text.startsWith('HEAD')) return;
  const parsed = JSON.parse(body);
  if (parsed.jsonrpc === '2.0') expect(parsed.error).toHaveProperty('code');
  else expect(errorSchema.parse(parsed).error).toBe(parsed.message);
}

describe('fuzzed requests', () => {
  it(
    'get only documented statuses, and errors of exactly four strings that leak nothing internal',
    async () => {
      const { url } = sharedService();
      let sent = 0;
      let answered = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(request, { minLength: 10, maxLength: 10 }), async (texts) => {
          await Promise.all(
            texts.map(async (text) => {
              // Half a request is answered when its time is over: the sender ends it here.
              const bytes = Buffer.from(text, text.startsWith('POST /mcp') ? 'utf8' : 'latin1');
              const answer = await askRaw(url, bytes, 500);
              sent += 1;
              if (answer === null) return;
              answered += 1;
              check(text, answer);
            }),
          );
        }),
        { numRuns: LONG ? 1000 : 40 },
      );
      // The rest are requests that never end.
      expect(answered / sent).toBeGreaterThan(0.7);
      expect((await fetch(`${url}/api/public/v1/products/1/stats`)).status).toBe(200);
    },
    LONG ? 900_000 : 60_000,
  );
});
