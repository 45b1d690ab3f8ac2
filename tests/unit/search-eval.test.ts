import { describe, expect, it } from 'vitest';
import { type EvalCatalog, readCatalog } from '../search/catalog.ts';
import { breaches, distanceMeters } from '../search/constraints.ts';
import { judge } from '../search/evaluate.ts';
import { hitAt, ndcgAt, share } from '../search/metrics.ts';
import { catalogFile, type EvalQuery, readQueries } from '../search/queries.ts';
import { misses, summarise, table } from '../search/report.ts';

const queries = readQueries('first');
const catalog = readCatalog(catalogFile('first'));
const NOW = Date.parse('2026-11-21T12:00:00Z');

describe('the metrics of the search evaluation', () => {
  it('count a hit from grade 2 on, within the first k', () => {
    expect(hitAt([0, 1, 2], 3)).toBe(true);
    expect(hitAt([0, 1, 2], 2)).toBe(false);
    expect(hitAt([1], 3)).toBe(false);
    expect(hitAt([], 3)).toBe(false);
    expect(share([true, false, true, true])).toBe(0.75);
  });

  it('compute nDCG as by hand', () => {
    // Gains 7, 3, 1; best order 7 + 3/log2(3) + 1/2 = 9.392789; given 1 + 7/log2(3) + 0 = 5.416508.
    expect(ndcgAt([1, 3, 0], [3, 2, 1], 10)).toBeCloseTo(0.576666, 5);
    expect(ndcgAt([3, 2, 1], [1, 2, 3], 10)).toBe(1);
    expect(ndcgAt([], [3], 10)).toBe(0);
    // Only the first two places count: 7 of 7 + 7/log2(3).
    expect(ndcgAt([3, 0, 3], [3, 3, 3], 2)).toBeCloseTo(7 / 11.416508, 5);
  });

  it('measure the earth: one degree along a meridian', () => {
    const degree = distanceMeters({ latitude: 0, longitude: 0 }, { latitude: 1, longitude: 0 });
    expect(degree).toBeCloseTo((6_371_000 * Math.PI) / 180, 3);
  });
});

const query = (more: Partial<EvalQuery>): EvalQuery => ({
  id: 'xx-001',
  split: 'dev',
  language: 'xx',
  tags: ['word'],
  tool: 'products',
  arguments: { query: 'x' },
  relevant: { '1': 3, '2': 2 },
  ...more,
});

const small: EvalCatalog = {
  categories: new Map([
    [1, { kind: 'category', id: 1, name: 'Casa' }],
    [2, { kind: 'category', id: 2, name: 'Móveis', parent_id: 1 }],
  ]),
  merchants: new Map([[7, { kind: 'merchant', id: 7, name: 'Loja do Zé' }]]),
  stores: new Map([
    [
      7,
      [
        {
          ...{ kind: 'store', id: 70, merchant_id: 7, name: 'Zé', address: 'Rua A, 1' },
          ...{ district: 'Sé', city: 'São Paulo', latitude: -23.55, longitude: -46.63 },
        },
      ],
    ],
  ]),
  products: new Map(
    [1, 2, 3].map((id) => [
      id,
      {
        ...{ kind: 'product', id, merchant_id: 7, category_id: 2, name: `Produto ${id}` },
        ...{ price: { amount: id * 1000, currency: 'BRL' }, in_stock: id !== 3 },
      },
    ]),
  ),
  offers: new Map([
    [5, { kind: 'offer', id: 5, merchant_id: 7, title: 'Boa' }],
    [6, { kind: 'offer', id: 6, merchant_id: 7, title: 'Oculta', status: 'hidden' }],
    [8, { kind: 'offer', id: 8, merchant_id: 7, title: 'App', app_only_top: true }],
    [
      9,
      { kind: 'offer', id: 9, merchant_id: 7, title: 'Fim', valid_until: '2026-11-21T12:00:00Z' },
    ],
    [-1, { kind: 'offer', id: -1, title: 'Pix', valid_from: '2026-11-21T12:00:00Z' }],
  ]),
};

describe('the constraints of the search evaluation', () => {
  it.each([
    [{}, 1, []],
    [{}, 3, ['out of stock']],
    [{ in_stock_only: false }, 3, []],
    [{}, 4, ['unknown record']],
    [{ city: 'sao paulo', district: 'SE' }, 1, []],
    [{ city: 'Campinas' }, 1, ['location']],
    [{ district: 'Lapa' }, 1, ['location']],
    [{ latitude: -23.55, longitude: -46.6, radius_meters: 3100 }, 1, []],
    [{ latitude: -23.55, longitude: -46.6, radius_meters: 3000 }, 1, ['location']],
    [{ merchant: 'loja do ze' }, 1, []],
    [{ merchant: 'outra' }, 1, ['merchant']],
    [{ merchant_id: 8 }, 1, ['merchant']],
    [{ min_price: 10, max_price: 10 }, 1, []],
    [{ min_price: 10.01 }, 1, ['price']],
    [{ max_price: 9.99 }, 1, ['price']],
    [{ category: 'casa' }, 1, []],
    [{ category: '2' }, 1, []],
    [{ category: 'Moda' }, 1, ['category']],
  ])('%j lets product %i break %j', (args, id, broken) => {
    expect(breaches(query({ arguments: args }), id, small, NOW)).toEqual(broken);
  });

  it.each([
    [5, {}, []],
    [6, {}, ['not a public offer']],
    [8, {}, ['not a public offer']],
    [9, {}, ['not a public offer']],
    [5, { city: 'Campinas' }, ['location']],
    [-1, { city: 'Campinas' }, []],
  ])('offer %i under %j breaks %j', (id, args, broken) => {
    expect(breaches(query({ tool: 'offers', arguments: args }), id, small, NOW)).toEqual(broken);
  });
});

describe('the judge of the search evaluation', () => {
  const answer = (ids: number[], match = 'exact') => ({
    records: ids.map((id) => ({ id, match })),
    latencyMs: 3,
  });

  it('finds traps only before the first right record, and violations anywhere', () => {
    const trap = query({ forbidden: [3], arguments: { query: 'x', limit: 2 } });
    expect(judge(trap, answer([2, 1, 3]), small)).toMatchObject({
      ...{ hit1: true, trapped: false },
      violations: ['3: out of stock', 'more records than asked for'],
    });
    expect(judge(trap, answer([3, 1]), small)).toMatchObject({ hit1: false, trapped: true });
    expect(judge(trap, answer([1, 1]), small).violations).toEqual(['a record twice']);
  });

  it('takes nothing, or a fallback that is named as one, for an honest empty answer', () => {
    const nothing = query({ relevant: {}, empty: true });
    expect(judge(nothing, answer([]), small)).toMatchObject({ hit3: true, ndcg10: 1 });
    expect(judge(nothing, answer([1], 'category_fallback'), small).hit3).toBe(true);
    expect(judge(nothing, answer([1], 'partial'), small)).toMatchObject({ hit3: false, ndcg10: 0 });
  });

  it('sums up by language and tag, and never shows a held query', () => {
    const outcomes = [
      judge(query({}), answer([1, 2]), small),
      judge(query({ id: 'xx-002', language: 'yy' }), answer([]), small),
      judge(query({ id: 'xx-003', split: 'held' }), answer([]), small),
    ];
    expect(summarise(outcomes)).toMatchObject({ n: 3, hit1: 1 / 3, empty: 2 / 3, violations: 0 });
    const rows = table(outcomes).map((line) => line.split(' | ').slice(0, 4).join(' '));
    expect(rows).toContain('| yy 1 0.000 0.000');
    expect(rows).toContain('| #word 3 0.333 0.333');
    const list = misses(outcomes, small).join('\n');
    expect(list).toContain('xx-002 yy missed');
    expect(list).toContain('1 Produto 1');
    expect(list).not.toContain('xx-003');
  });
});

describe('the graded queries', () => {
  it('are many, in many languages, each language and tag in both splits', () => {
    expect(queries.length).toBeGreaterThanOrEqual(360);
    expect(new Set(queries.map(({ id }) => id)).size).toBe(queries.length);
    const asked = queries.map((q) => JSON.stringify([q.language, q.tool, q.arguments]));
    expect(new Set(asked).size).toBe(queries.length);
    const keys = (split: string) =>
      [
        ...new Set(
          queries
            .filter((q) => q.split === split)
            .flatMap((q) => [q.language, `#${q.empty ? 'nothing' : q.tool}`, ...q.tags]),
        ),
      ].sort();
    expect(keys('held')).toEqual(keys('dev'));
    expect(new Set(queries.map(({ language }) => language)).size).toBeGreaterThanOrEqual(22);
  });

  it('hold back every third of a language, whatever it asks', () => {
    for (const { id, split } of queries) {
      expect([id, split]).toEqual([id, Number(id.split('-').at(-1)) % 3 === 0 ? 'held' : 'dev']);
    }
  });

  it('wish only for records that their constraints allow, a best one among them, and for no trap', () => {
    const faults = queries.flatMap((q) => {
      const ids = Object.keys(q.relevant).map(Number);
      const broken = ids.flatMap((id) => breaches(q, id, catalog, NOW));
      const graded = q.empty
        ? ids.length === 0
        : Object.values(q.relevant).some((grade) => grade === 3);
      const clash = q.forbidden?.some((id) => ids.includes(id)) ?? false;
      return broken.length > 0 || !graded || clash ? [{ id: q.id, broken, graded, clash }] : [];
    });
    expect(faults).toEqual([]);
  });
});
