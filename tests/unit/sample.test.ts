import { describe, expect, it } from 'vitest';
import type { FeedRecord, FeedRecordOf } from '../../src/domain/catalog.ts';
import { nameOf, referencesOf } from '../../src/domain/references.ts';
import { keyOf } from '../../src/feed/read.ts';
import { sampleActivity } from '../../src/sample/activity.ts';
import { SAMPLE_REFERENCE_INSTANT, sampleFeedLines } from '../../src/sample/load.ts';
import { readWhole } from '../support/read-feed.ts';

const now = new Date('2027-03-05T15:30:00Z');
const { lines, faults } = await readWhole(sampleFeedLines(now));
const records = lines.map(({ record }) => record);
const ofKind = <K extends FeedRecord['kind']>(kind: K) =>
  records.filter((record): record is FeedRecordOf<K> => record.kind === kind);
const [merchants, stores, products, offers] = [
  ofKind('merchant'),
  ofKind('store'),
  ofKind('product'),
  ofKind('offer'),
];

const isPublic = (offer: FeedRecordOf<'offer'>, at: number) =>
  (offer.status ?? 'active') === 'active' &&
  offer.app_only_top !== true &&
  (offer.valid_from == null || Date.parse(offer.valid_from) <= at) &&
  (offer.valid_until == null || Date.parse(offer.valid_until) > at);

describe('the sample catalog', () => {
  it('is a valid feed whose references all lead somewhere', () => {
    expect(faults).toEqual([]);
    const names = records.map((record) => nameOf(keyOf(record)));
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(records.flatMap(referencesOf).map(nameOf)));
  });

  it('is a mall: merchants, stores in many districts and three cities, products and offers', () => {
    expect(merchants.length).toBeGreaterThanOrEqual(40);
    expect(stores.length).toBeGreaterThanOrEqual(70);
    expect(products.length).toBeGreaterThanOrEqual(500);
    expect(offers.length).toBeGreaterThanOrEqual(150);
    const districts = stores
      .filter(({ city }) => city === 'São Paulo')
      .map(({ district }) => district);
    expect(new Set(districts).size).toBeGreaterThanOrEqual(25);
    expect([...new Set(stores.map(({ city }) => city))].sort()).toEqual([
      'Campinas',
      'Rio de Janeiro',
      'São Paulo',
    ]);
  });

  it('has merchants without a store, products out of stock and offers that are not public', () => {
    const located = new Set(stores.map(({ merchant_id }) => merchant_id));
    expect(merchants.filter(({ id }) => !located.has(id)).length).toBeGreaterThan(0);
    expect(products.filter(({ in_stock }) => in_stock === false).length).toBeGreaterThan(10);
    expect(offers.filter(({ id }) => id < 0).length).toBeGreaterThanOrEqual(10);
    expect(offers.filter(({ status }) => status === 'hidden').length).toBeGreaterThan(2);
    expect(offers.filter(({ status }) => status === 'inactive').length).toBeGreaterThan(2);
    expect(offers.filter(({ app_only_top }) => app_only_top).length).toBeGreaterThan(2);
  });

  it('is fresh whenever it is loaded: offers are current, nothing is newer than now', () => {
    expect(offers.filter((offer) => isPublic(offer, now.getTime())).length).toBeGreaterThanOrEqual(
      140,
    );
    const weeksLater = now.getTime() + 20 * 24 * 3_600_000;
    expect(offers.filter((offer) => isPublic(offer, weeksLater)).length).toBeGreaterThanOrEqual(
      130,
    );
    expect(
      offers.some(
        ({ valid_until }) => valid_until != null && Date.parse(valid_until) < now.getTime(),
      ),
    ).toBe(true);
    expect(
      offers.some(({ valid_from }) => valid_from != null && Date.parse(valid_from) > now.getTime()),
    ).toBe(true);
    for (const record of [...products, ...offers]) {
      expect(Date.parse(record.updated_at ?? '')).toBeLessThanOrEqual(now.getTime());
    }
    expect(Date.parse(SAMPLE_REFERENCE_INSTANT)).toBeLessThan(now.getTime());
  });
});

describe('the sample activity', () => {
  const catalog = {
    productIds: products.map(({ id }) => id),
    offerIds: offers.map(({ id }) => id).filter((id) => id > 0),
  };
  const { views, reactions } = sampleActivity(catalog, now);

  it('is the same for the same catalog, instant and seed', () => {
    expect(sampleActivity(catalog, now)).toEqual({ views, reactions });
    expect(sampleActivity(catalog, now, 2).views).not.toEqual(views);
  });

  it('lies within the 48 hours that record_views takes, offers seen by users only', () => {
    const instants = views.map(({ at }) => Date.parse(at));
    expect(Math.min(...instants)).toBeGreaterThan(now.getTime() - 48 * 3_600_000);
    expect(Math.max(...instants)).toBeLessThan(now.getTime());
    expect(views.every(({ kind, source }) => kind === 'product' || source === 'user')).toBe(true);
  });

  it('has a believable shape: busy evenings, quiet nights, a heavy tail, some agents', () => {
    const share = (part: number, of: number) => part / of;
    const hour = ({ at }: { at: string }) => (new Date(at).getUTCHours() + 21) % 24;
    const night = views.filter((view) => hour(view) >= 2 && hour(view) < 5).length;
    const evening = views.filter((view) => hour(view) >= 19 && hour(view) < 22).length;
    expect(evening).toBeGreaterThan(10 * night);
    const seen = views.filter(({ kind }) => kind === 'product');
    const agents = seen.filter(({ source }) => source === 'agent').length;
    expect(share(agents, seen.length)).toBeCloseTo(0.12, 1);
    const counts = new Map<number, number>();
    for (const { id } of seen) counts.set(id, (counts.get(id) ?? 0) + 1);
    expect(Math.max(...counts.values())).toBeGreaterThan(500);
    expect(counts.size).toBeLessThan(products.length);
  });

  it('has one reaction a user and product, mostly likes', () => {
    expect(new Set(reactions.map(({ productId, user }) => `${productId} ${user}`)).size).toBe(
      reactions.length,
    );
    const likes = reactions.filter(({ reaction }) => reaction === 'like').length;
    expect(likes / reactions.length).toBeCloseTo(0.88, 1);
  });
});
