import { describe, expect, it } from 'vitest';
import { recordViews, recordWaitingViews } from '../../src/data/statistics/activity.ts';
import {
  readProductStats as readMany,
  readMerchantActivity,
} from '../../src/data/statistics/stats.ts';
import { noProductStats } from '../../src/domain/stats.ts';
import { openAnalyser } from '../../src/feed/analyser.ts';
import { importFeed } from '../../src/feed/import.ts';
import { testDatabase } from '../support/database.ts';

const sql = await testDatabase();
const options = { replace: false, skipInvalid: false, analyser: openAnalyser() };
const feed = (...records: object[]) => records.map((record) => JSON.stringify(record));
await importFeed(
  sql,
  feed(
    { kind: 'merchant', id: 7, name: 'Aurora' },
    { kind: 'merchant', id: 8, name: 'Poente' },
    { kind: 'product', id: 1, merchant_id: 7, name: 'Bota' },
    { kind: 'product', id: 2, merchant_id: 7, name: 'Meia' },
    { kind: 'offer', id: 50, merchant_id: 7, title: 'Bota com desconto' },
    { kind: 'offer', id: -5, merchant_id: 7, title: '5% no Pix' },
  ),
  options,
);

const readProductStats = async (_: unknown, id: number) =>
  (await readMany(sql, [id])).get(id) ?? noProductStats(id);
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
const HOUR = 3_600_000;

describe('record_views', () => {
  it('returns the number of rows recorded and counts all-time product views of both sources', async () => {
    const recorded = await recordViews(sql, [
      { kind: 'product', id: 900, source: 'user' },
      { kind: 'product', id: 900, source: 'agent' },
      { kind: 'product', id: 901, source: 'user', at: ago(47 * HOUR) },
    ]);
    expect(recorded).toBe(3);
    expect((await readProductStats(sql, 900)).viewsCount).toBe(2);
    expect((await readProductStats(sql, 901)).viewsCount).toBe(1);
  });

  it.each([
    ['an agent view of an offer', [{ kind: 'offer', id: 50, source: 'agent' }], /users only/],
    [
      'a view in the future',
      [{ kind: 'product', id: 1, source: 'user', at: ago(-60_000) }],
      /future/,
    ],
    [
      'a view more than 48 hours back',
      [{ kind: 'product', id: 1, source: 'user', at: ago(49 * HOUR) }],
      /48 hours/,
    ],
    ['an unknown kind', [{ kind: 'store', id: 1, source: 'user' }], /kind must be/],
    ['an unknown source', [{ kind: 'product', id: 1, source: 'bot' }], /source must be/],
    ['a missing id', [{ kind: 'product', source: 'user' }], /id must be a number/],
    ['a fractional id', [{ kind: 'product', id: 1.5, source: 'user' }], /whole number/],
    ['a negative product id', [{ kind: 'product', id: -1, source: 'user' }], /positive/],
    ['something that is no array', { kind: 'product' }, /JSON array/],
  ])('refuses %s and records nothing of the batch', async (_, batch, message) => {
    const before = await sql`select count(*) from view_event`;
    const events = Array.isArray(batch)
      ? [{ kind: 'product', id: 1, source: 'user' }, ...batch]
      : batch;
    await expect(sql`select record_views(${JSON.stringify(events)}::text::jsonb)`).rejects.toThrow(
      message,
    );
    expect(await sql`select count(*) from view_event`).toEqual(before);
  });

  it('tolerant, records the good events of a batch, once a key, and returns the others with reasons', async () => {
    const at = new Date(Date.now() - 60_000).toISOString();
    const tooOld = new Date(Date.now() - 49 * 3_600_000).toISOString();
    const events = [
      { kind: 'product', id: 71, source: 'user', at },
      { kind: 'shop', id: 71, source: 'user' },
      7,
      { kind: 'product', id: '71', source: 'user' },
      { kind: 'product', id: 71, source: 'user', at: 'yesterday or so' },
      { kind: 'product', id: 71, source: 'user', at: tooOld },
      { kind: 'offer', id: 72, source: 'agent' },
      { kind: 'product', id: 71, source: 'agent' },
    ];
    const record = (key: string, tolerant: boolean, list: unknown = events) => sql`
      select position, event, reason from record_views(
        ${JSON.stringify(list)}::text::jsonb, ${key}, tolerant := ${tolerant})`;
    const refused = await record('tolerant', true);
    expect(refused.map(({ position }) => position)).toEqual([2, 3, 4, 5, 6, 7]);
    expect(refused.map(({ reason }) => reason)).toEqual([
      'kind must be "product" or "offer"',
      'an event must be an object',
      expect.stringContaining('id must be a number'),
      expect.stringContaining('yesterday or so'),
      expect.stringContaining('more than 48 hours back'),
      'offers have views by users only',
    ]);
    expect(refused[1]?.event).toBe(7);
    expect(await record('tolerant', true)).toHaveLength(6);
    const [row] = await sql`select views from product_total where product_id = 71`;
    expect(row?.views).toBe(2);
    await expect(record('strict', false)).rejects.toThrow();
    await expect(record('no list', true, {})).rejects.toThrow('takes a JSON array');
    expect(await record('all good', true, [events[0]])).toHaveLength(0);
  });

  it('takes views that waited by their age, once a key; what waited for days counts as 48 hours old', async () => {
    const waited = [0, 2 * HOUR, 1000 * HOUR].map(
      (ageMs) => ({ kind: 'product', id: 950, source: 'agent', ageMs }) as const,
    );
    for (let time = 0; time < 2; time += 1) await recordWaitingViews(sql, waited, 'waited');
    const rows = await sql`
      select round(extract(epoch from now() - at) / 3600)::int as hours
      from view_event where item_id = 950 order by at`;
    expect(rows.map(({ hours }) => hours)).toEqual([48, 2, 0]);
    expect((await readProductStats(sql, 950)).viewsCount).toBe(3);
  });

  it('counts concurrent batches exactly', async () => {
    const batch = Array.from({ length: 200 }, (_, index) => ({
      kind: 'product' as const,
      id: 7000 + (index % 20),
      source: 'user' as const,
    }));
    await Promise.all(Array.from({ length: 12 }, () => recordViews(sql, batch.toReversed())));
    const stats = await Promise.all(batch.slice(0, 20).map(({ id }) => readProductStats(sql, id)));
    expect(stats.map(({ viewsCount }) => viewsCount)).toEqual(Array(20).fill(120));
  });

  it('gives a view to the merchant that the item had when it was viewed', async () => {
    await recordViews(sql, [{ kind: 'product', id: 2, source: 'user' }]);
    await importFeed(sql, feed({ kind: 'product', id: 2, merchant_id: 8, name: 'Meia' }), options);
    await recordViews(sql, [
      { kind: 'product', id: 2, source: 'user' },
      { kind: 'product', id: 2, source: 'user', at: ago(2 * HOUR) },
    ]);
    const views = async (merchant: number) =>
      (await readMerchantActivity(sql, merchant)).items.find(({ id }) => id === 2)?.user ?? 0;
    expect(await views(7)).toBe(2);
    expect(await views(8)).toBe(1);
  });

  it('counts views of payment offers and of unknown items for no merchant', async () => {
    const before = await readMerchantActivity(sql, 7);
    await recordViews(sql, [
      { kind: 'offer', id: -5, source: 'user' },
      { kind: 'offer', id: 987, source: 'user' },
      { kind: 'product', id: 988, source: 'user' },
    ]);
    expect((await readMerchantActivity(sql, 7)).items).toEqual(before.items);
    expect((await readProductStats(sql, 988)).viewsCount).toBe(1);
  });
});

describe('set_reaction', () => {
  const react = (reaction: string | null, user = 'u1') =>
    sql`select set_reaction(31, ${user}, ${reaction})`;
  const counts = async () => {
    const { likesCount, dislikesCount } = await readProductStats(sql, 31);
    return [likesCount, dislikesCount];
  };

  it('keeps one current reaction a user and product', async () => {
    await react('like');
    await react('like');
    await react('dislike', 'u2');
    expect(await counts()).toEqual([1, 1]);
    await react('dislike');
    expect(await counts()).toEqual([0, 2]);
    await react(null);
    await react(null, 'nobody');
    expect(await counts()).toEqual([0, 1]);
  });

  it('stays exact when one user reacts many times at once', async () => {
    await Promise.all(
      Array.from({ length: 40 }, (_, index) => react(index % 2 ? 'like' : 'dislike', 'racer')),
    );
    const [likes = 0, dislikes = 0] = await counts();
    expect(likes + dislikes).toBe(2);
    await react(null, 'racer');
    expect(await counts()).toEqual([0, 1]);
  });

  it('refuses another word, an empty user and an id out of bounds', async () => {
    await expect(react('love')).rejects.toThrow(/"like", "dislike" or null/);
    await expect(react('like', '')).rejects.toThrow(/user must not be empty/);
    await expect(sql`select set_reaction(0, 'u', 'like')`).rejects.toThrow(/positive id/);
  });
});
