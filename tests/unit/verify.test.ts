import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type Output, writeEntry } from '../../src/publish/entry-files.ts';
import { goneLine, ReleaseIndex } from '../../src/publish/release-index.ts';
import { verifyLayer } from '../../src/publish/verify.ts';

const folder = mkdtempSync(join(tmpdir(), 'vitrine-verify-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const output: Output = { folder, now: 1_700_000_000 };
const write = (path: string, text: string, type = 'text/markdown; charset=utf-8') =>
  writeEntry(output, { path, body: Buffer.from(text), type, source: null }, null);

const html = 'text/html; charset=utf-8';
const page = write('/products/1', 'Pão '.repeat(2000), html);
const twin = write('/products/1.md', '# Pão');
const document = write('/llms.txt', '# Guia', 'text/plain; charset=utf-8');
const whole = [document, page, twin, goneLine('/products/2')];
const verify = (lines: string[], paths = 2) => {
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  verifyLayer(new ReleaseIndex(bytes, folder), paths);
};

it('takes a layer that is whole', () => {
  expect(() => verify(whole)).not.toThrow();
});

it.each([
  ['lacks the twin of a page', [document, page], 2, /1 pages and twins were made instead of 2/],
  ['lacks a page', whole, 4, /2 pages and twins were made instead of 4/],
  ['lists a path twice', [document, ...whole], 2, /listed twice/],
  ['lists a path out of order', [...whole, document], 2, /out of order/],
  ['holds an empty page', [page.replace(/\t\d+\t/, '\t0\t'), twin], 2, /\/products\/1 is empty/],
])('refuses a layer that %s', (_, lines, paths, fault) => {
  expect(() => verify(lines, paths)).toThrow(fault);
});

it.each(['.html', '.html.gz', '.md'])('refuses a damaged file: %s', (ending) => {
  const file = join(folder, `products/1${ending}`);
  const content = readFileSync(file);
  writeFileSync(file, 'x');
  expect(() => verify(whole)).toThrow(/is damaged/);
  writeFileSync(file, content);
});
