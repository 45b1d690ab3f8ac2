import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { feedFileLines, readRecord } from '../../src/feed/read.ts';
import { readWhole } from '../support/read-feed.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-feed-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function readFile(bytes: Buffer) {
  const file = join(folder, 'feed.ndjson');
  await writeFile(file, bytes);
  return readWhole(feedFileLines(file));
}

const category = (id: number, name: string) => JSON.stringify({ kind: 'category', id, name });

describe('a feed file', () => {
  it('is UTF-8: a line that is not is refused by its number, and the others are read', async () => {
    const bytes = Buffer.concat([
      Buffer.from(`${category(1, 'Pães')}\n`),
      Buffer.from(`${category(2, 'Pães')}\n`, 'latin1'),
      Buffer.from(`${category(3, 'Bolos')}\n`),
    ]);
    const { lines, faults } = await readFile(bytes);
    expect(lines.map(({ line, record }) => [line, record.id])).toEqual([
      [1, 1],
      [3, 3],
    ]);
    expect(faults).toEqual([{ line: 2, field: '(line)', reason: 'is not UTF-8' }]);
  });

  it('ends its lines at line feeds alone: other separators may stand in a text', async () => {
    const text = 'um\u2028dois\u2029três\u0085quatro';
    const { lines, faults } = await readFile(Buffer.from(category(1, text)));
    expect(faults).toEqual([]);
    expect(lines[0]?.record).toMatchObject({ name: text });
  });

  it('may have a byte order mark, CRLF, blank lines and no end of the last line', async () => {
    const text = `\ufeff${category(1, 'A')}\r\n\r\n   \n${category(2, 'B')}`;
    const { lines, faults } = await readFile(Buffer.from(text));
    expect(faults).toEqual([]);
    expect(lines.map(({ line }) => line)).toEqual([1, 4]);
  });

  it('may be longer than what is read of it at once', async () => {
    const name = 'ç'.repeat(300);
    const feed = Array.from({ length: 1000 }, (_, index) => category(index + 1, name)).join('\n');
    const { lines } = await readFile(Buffer.from(feed));
    expect(lines).toHaveLength(1000);
    expect(lines.every(({ record }) => record.kind === 'category' && record.name === name)).toBe(
      true,
    );
  });

  it('may be compressed, whatever its name; a cut one is refused', async () => {
    const text = [category(1, 'Pães'), category(2, 'Bolos')].join('\n');
    const { lines } = await readFile(gzipSync(text));
    expect(lines.map(({ record }) => record.id)).toEqual([1, 2]);
    const cut = gzipSync(text).subarray(0, 40);
    await expect(readFile(cut)).rejects.toThrow('the gzip data of the feed is broken');
    expect(await readFile(Buffer.alloc(0))).toEqual({ lines: [], faults: [] });
  });

  it.each([
    [{}, 'id', 'is missing'],
    [{ id: '1' }, 'id', 'must be a number'],
    [{ id: 1.5 }, 'id', 'must be a whole number'],
    [{ id: 0 }, 'id', 'must be at least 1'],
    [{ id: 1, merchant_id: 2 }, 'name', 'is missing'],
    [{ id: 1, merchant_id: 2, name: ' ' }, 'name', 'must not be empty'],
    [{ id: 1, merchant_id: 2, name: 'x'.repeat(301) }, 'name', 'must have at most 300 characters'],
    [{ id: 1, merchant_id: 2, name: 'x', in_stock: 'yes' }, 'in_stock', 'must be true or false'],
    [{ id: 1, merchant_id: 2, name: 'x', price: { amount: 1 } }, 'price.currency', 'is missing'],
    [{ kind: 'shop', id: 1 }, 'kind', expect.stringMatching(/^must be one of "category", /)],
    [
      { kind: 'offer', id: 1, merchant_id: 1, title: 'x', status: 'on' },
      'status',
      'must be one of "active", "inactive", "hidden"',
    ],
  ])('that holds %o says what is wrong with %s in plain words', (record, field, reason) => {
    expect(readRecord({ kind: 'product', ...record })).toEqual({ field, reason });
  });

  it('holds no text that Postgres cannot: half a surrogate pair, year 0, a zone of a whole day', async () => {
    const offer = (more: object) =>
      JSON.stringify({ kind: 'offer', id: 1, merchant_id: 1, title: 'Oferta', ...more });
    const bad = [
      category(1, '\ud83d'),
      offer({ valid_from: '0000-01-01T00:00:00Z' }),
      offer({ valid_from: '2026-01-01T00:00:00+23:00' }),
    ];
    const { faults } = await readFile(Buffer.from(bad.join('\n')));
    expect(faults.map(({ line, field }) => [line, field])).toEqual([
      [1, 'name'],
      [2, 'valid_from'],
      [3, 'valid_from'],
    ]);
  });
});
