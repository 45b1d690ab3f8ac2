import { describe, expect, it } from 'vitest';
import { showcaseSchema } from '../../src/domain/documents.ts';
import { productSearchSchema } from '../../src/domain/records.ts';
import { listText, searchText } from '../../src/live/records/list-text.ts';
import { productItem } from '../../src/live/records/text.ts';
import {
  checkAnswer,
  description,
  exampleFaults,
  fieldExampleFaults,
  repeatedExamples,
} from '../support/description.ts';

const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'public, max-age=30',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag',
};
const stats = { productId: 1, viewsCount: 0, likesCount: 0, dislikesCount: 0 };
const path = '/api/public/v1/products/1/stats';
const check = (body: unknown, headers: Record<string, string> = HEADERS, status = 200, at = path) =>
  checkAnswer('GET', at, new Response(JSON.stringify(body), { status, headers }));

describe('the examples of the API description', () => {
  it('stand at every JSON answer and request, and are what the schemas say', () => {
    expect(exampleFaults()).toEqual([]);
    expect(fieldExampleFaults()).toEqual([]);
  });

  it('stand once, as components', () => {
    expect(repeatedExamples()).toEqual([]);
  });

  it('say of records in words what the code says', () => {
    const examples = (description.components as { examples: Record<string, { value: unknown }> })
      .examples;
    const found = examples.Found?.value as { result: { structuredContent: unknown } };
    const answer = productSearchSchema.parse(found.result.structuredContent);
    expect(answer.answer_markdown).toBe(searchText(answer, answer.products.map(productItem)));
    const showcase = showcaseSchema.parse(examples.Showcase?.value);
    const items = showcase.products.map(productItem);
    expect(showcase.answer_markdown).toBe(listText(showcase.service, items));
  });
});

describe('an answer that is held to the API description', () => {
  it('passes when it is as described', async () => {
    expect(await check(stats)).toEqual([]);
  });

  it.each([
    ['a field too many', { ...stats, name: 'x' }, HEADERS, 200, path],
    ['a field of another type', { ...stats, viewsCount: '0' }, HEADERS, 200, path],
    ['a field too few', { productId: 1 }, HEADERS, 200, path],
    ['a status that is not described', stats, HEADERS, 201, path],
    ['another content type', stats, { ...HEADERS, 'content-type': 'text/html' }, 200, path],
    ['no CORS field', stats, { ...HEADERS, 'access-control-allow-origin': '' }, 200, path],
    ['a field that is not described', stats, { ...HEADERS, 'retry-after': '1' }, 200, path],
    ['an error of another shape', { error: 'x' }, HEADERS, 404, '/nothing/here'],
    ['a result and an id of no kind', { jsonrpc: '2.0', id: {} }, HEADERS, 400, '/mcp'],
  ])('fails with %s', async (_, body, headers, status, at) => {
    const kept = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
    const method = at === '/mcp' ? 'POST' : 'GET';
    const response = new Response(JSON.stringify(body), { status, headers: kept });
    expect(await checkAnswer(method, at, response)).not.toEqual([]);
  });
});
