import { describe, expect, it } from 'vitest';
import { readCatalog } from '../search/catalog.ts';
import { evaluate } from '../search/evaluate.ts';
import { catalogFile, type EvalSet, readQueries } from '../search/queries.ts';
import { misses, summarise } from '../search/report.ts';
import { loadEvalCatalog } from '../search/stage.ts';
import { AMPLE_QUOTAS, newDatabase, startService } from '../support/service.ts';

/**
 * Slightly under what `npm run search:eval` measures; raise them when the search improves. Of the names of goods every
 * tenth is asked.
 */
const FLOORS: { set: EvalSet; leastHit3: number; leastNdcg10: number; every?: number }[] = [
  { set: 'first', leastHit3: 0.96, leastNdcg10: 0.89 },
  { set: 'second', leastHit3: 0.95, leastNdcg10: 0.9 },
  { set: 'third', leastHit3: 0.95, leastNdcg10: 0.89 },
  { set: 'fourth', leastHit3: 0.95, leastNdcg10: 0.88 },
  { set: 'goods', leastHit3: 0.92, leastNdcg10: 0.8, every: 10 },
  { set: 'sentences', leastHit3: 0.64, leastNdcg10: 0.59 },
];

describe('the search as a whole', () => {
  it.each(FLOORS)(
    'answers the development queries of the $set set no worse than before, never outside a constraint',
    async ({ set, leastHit3, leastNdcg10, every = 1 }) => {
      const databaseUrl = await newDatabase('empty');
      await loadEvalCatalog(databaseUrl, set);
      const service = await startService({ DATABASE_URL: databaseUrl, ...AMPLE_QUOTAS });
      try {
        const open = readQueries(set).filter(({ split }) => split === 'dev');
        const queries = open.filter((_, place) => place % every === 0);
        const catalog = readCatalog(catalogFile(set));
        const outcomes = await evaluate(service.url, queries, catalog);
        const violating = outcomes.filter(({ violations }) => violations.length > 0);
        expect(misses(violating, catalog)).toEqual([]);
        const { hit3, ndcg10 } = summarise(outcomes);
        expect(hit3).toBeGreaterThanOrEqual(leastHit3);
        expect(ndcg10).toBeGreaterThanOrEqual(leastNdcg10);
      } finally {
        await service.stop();
      }
    },
    120_000,
  );
});
