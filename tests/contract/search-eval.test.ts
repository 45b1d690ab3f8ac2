import { describe, expect, it } from 'vitest';
import { readCatalog } from '../search/catalog.ts';
import { evaluate } from '../search/evaluate.ts';
import { CATALOG_FILE, readQueries } from '../search/queries.ts';
import { misses, summarise } from '../search/report.ts';
import { loadEvalCatalog } from '../search/stage.ts';
import { AMPLE_QUOTAS, newDatabase, startService } from '../support/service.ts';

/** Slightly under what `npm run search:eval` measures; raise them when the search improves. */
const LEAST_HIT3 = 0.92;
const LEAST_NDCG10 = 0.85;

describe('the search as a whole', () => {
  it('answers the development queries no worse than before, never outside a constraint', async () => {
    const databaseUrl = await newDatabase('empty');
    await loadEvalCatalog(databaseUrl);
    const service = await startService({ DATABASE_URL: databaseUrl, ...AMPLE_QUOTAS });
    try {
      const queries = readQueries().filter(({ split }) => split === 'dev');
      const catalog = readCatalog(CATALOG_FILE);
      const outcomes = await evaluate(service.url, queries, catalog);
      const violating = outcomes.filter(({ violations }) => violations.length > 0);
      expect(misses(violating, catalog)).toEqual([]);
      const { hit3, ndcg10 } = summarise(outcomes);
      expect(hit3).toBeGreaterThanOrEqual(LEAST_HIT3);
      expect(ndcg10).toBeGreaterThanOrEqual(LEAST_NDCG10);
    } finally {
      await service.stop();
    }
  }, 120_000);
});
