import { describe, expect, it } from 'vitest';
import { feedRecordSchema } from '../../src/domain/catalog.ts';
import { SAMPLE_REFERENCE_INSTANT, sampleFeedLines } from '../../src/sample/load.ts';
import { productSearchInput } from '../../src/search/arguments.ts';
import { mixedQueries } from '../search/mixed.ts';

const feed = [...sampleFeedLines(new Date(SAMPLE_REFERENCE_INSTANT))].map((line) =>
  feedRecordSchema.parse(JSON.parse(line)),
);

describe('mixed queries', () => {
  const queries = mixedQueries(feed, 300, 1);

  it('are as many as asked for, all different, the same for the same seed', () => {
    expect(new Set(queries.map((query) => JSON.stringify(query))).size).toBe(300);
    expect(mixedQueries(feed, 300, 1)).toEqual(queries);
    expect(mixedQueries(feed, 300, 2)).not.toEqual(queries);
  });

  it('are valid arguments of the tool', () => {
    for (const query of queries) expect(productSearchInput.safeParse(query).error).toBeUndefined();
  });

  it.each([
    ...['category', 'city', 'district', 'latitude', 'radius_meters', 'merchant', 'merchant_id'],
    ...['min_price', 'max_price', 'in_stock_only', 'limit'],
  ] as const)('hold every filter often: %s', (field) => {
    expect(queries.filter((query) => query[field] !== undefined).length).toBeGreaterThan(10);
  });

  it.each(['distance', 'price_asc', 'price_desc'])('hold every sort often: %s', (sort) => {
    expect(queries.filter((query) => query.sort === sort).length).toBeGreaterThan(10);
  });

  it('search without words as well, and never a feed without products', () => {
    expect(queries.filter(({ query }) => query === undefined).length).toBeGreaterThan(5);
    expect(() => mixedQueries([], 300, 1)).toThrow('without products');
  });
});
