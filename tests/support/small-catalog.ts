// A catalog of a few merchants, made up for one test, behind a service of its own.
import { openDatabase } from '../../src/data/connection/client.ts';
import { openAnalyser } from '../../src/feed/analyser.ts';
import { importFeed } from '../../src/feed/import.ts';
import { AMPLE_QUOTAS, newDatabase, type Service, startService } from './service.ts';

type FeedLines = Parameters<typeof importFeed>[1];

/** A merchant with a store, and what he sells: names, or names with prices in centavos. */
export type Shop = {
  name: string;
  district?: string;
  city?: string;
  sells: (string | { name: string; brand?: string; price?: number })[];
};

/** The feed of these merchants; ids count up from 1. */
export function feedOfShops(shops: Shop[]): object[] {
  let id = 0;
  return shops.flatMap(({ name, district = 'Centro', city = 'São Paulo', sells }, place) => {
    const merchant = place + 1;
    return [
      { kind: 'merchant', id: merchant, name },
      {
        ...{ kind: 'store', id: merchant, merchant_id: merchant, name, address: 'Rua Um, 1' },
        ...{ district, city },
      },
      ...sells.map((one) => {
        const { price = 1000, ...product } = typeof one === 'string' ? { name: one } : one;
        id += 1;
        return {
          ...{ kind: 'product', id, merchant_id: merchant, ...product },
          price: { amount: price, currency: 'BRL' },
        };
      }),
    ];
  });
}

/** Starts a service over the catalog of these merchants. */
export const serveShops = (shops: Shop[]): Promise<Service> => serveRecords(feedOfShops(shops));

/** Starts a service over a catalog of these records of a feed. */
export function serveRecords(records: readonly object[]): Promise<Service> {
  return serveFeed(records.map((record) => JSON.stringify(record)));
}

/** Starts a service over the catalog that the lines of a feed are. */
export async function serveFeed(lines: FeedLines): Promise<Service> {
  const databaseUrl = await newDatabase('empty');
  const sql = openDatabase(databaseUrl, { max: 1 });
  await importFeed(sql, lines, { replace: true, skipInvalid: false, analyser: openAnalyser() });
  await sql.end();
  return startService({ ...AMPLE_QUOTAS, DATABASE_URL: databaseUrl });
}
