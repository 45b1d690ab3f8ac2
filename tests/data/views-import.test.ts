import { describe, expect, it } from 'vitest';
import { readProductStats } from '../../src/data/statistics/stats.ts';
import { importViews } from '../../src/feed/views.ts';
import { testDatabase } from '../support/database.ts';

const sql = await testDatabase();
async function* file(lines: string[]) {
  yield* lines;
}
const view = (id: number, more = '') => `{"kind":"product","id":${id},"source":"user"${more}}`;
const count = async (id: number) => (await readProductStats(sql, [id])).get(id)?.viewsCount ?? 0;

describe('npm run stats:import', () => {
  const at = `,"at":"${new Date(Date.now() - 3_600_000).toISOString()}"`;

  it('records a file in batches, and nothing twice when it is run again', async () => {
    const lines = Array.from({ length: 12_000 }, (_, index) => view(1 + (index % 3), at));
    expect(await importViews(sql, file(lines))).toEqual({ views: 12_000, batches: 3 });
    expect(await importViews(sql, file(lines))).toEqual({ views: 0, batches: 3 });
    // What follows an interrupted load is recorded; what was there before it is not, again.
    const longer = [...lines.slice(0, 10_000), ...Array(4000).fill(view(9, at))];
    expect(await importViews(sql, file(longer))).toEqual({ views: 4000, batches: 3 });
    expect(await count(1)).toBe(4000);
    expect(await count(9)).toBe(4000);
  });

  it('names the line of what it refuses', async () => {
    const refused = (lines: string[]) => importViews(sql, file(lines)).catch((error) => error);
    expect(await refused([view(5), '', '{nonsense'])).toMatchObject({
      line: 3,
      message: expect.stringContaining('is not valid JSON'),
    });
    expect(await refused([view(5), ' ', view(-1), view(-2)])).toMatchObject({
      line: 3,
      message: 'product ids are positive',
    });
    expect(await count(5)).toBe(0);
  });
});
