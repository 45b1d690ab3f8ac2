import { z } from 'zod';
import { MAX_ID } from './ids.ts';

const count = z.int().min(0).max(MAX_ID);
const id = z.int().min(1).max(MAX_ID);

/** The answer of the product statistics endpoint. */
export const productStatsSchema = z
  .strictObject({
    productId: id.describe('The product ID given in the request path'),
    viewsCount: count.describe('Recorded product view events'),
    likesCount: count.describe('Current positive reactions'),
    dislikesCount: count.describe('Current negative reactions'),
  })
  .meta({ id: 'ProductStats' });

/** One row of a merchant's tables. */
export const merchantContentViewSchema = z
  .strictObject({
    id: id.describe('Product or offer ID'),
    name: z.string().describe('Name; empty when the item has left the catalog or is not public'),
    viewsCount: count.describe('Views by signed-in users and AI agents together'),
    userViewsCount: count.describe('Views by signed-in users'),
    agentViewsCount: count.describe('Views by AI agents; always 0 for offers'),
  })
  .meta({ id: 'MerchantContentView' });

/** A count compared with the latest daily snapshot. */
export const activityComparisonSchema = z
  .strictObject({
    count: count.describe('Value for the current 24-hour window'),
    previousCount: count.describe('Value at the baseline snapshot'),
    changePercent: z
      .number()
      .nullable()
      .describe('Change in percent; null when the baseline is zero and the count positive'),
  })
  .meta({ id: 'ActivityComparison' });

/** The comparisons of all counts of a merchant. */
export const merchantViewComparisonsSchema = z
  .strictObject({
    productViews: activityComparisonSchema.describe('Of `productViewsCount`'),
    productUserViews: activityComparisonSchema.describe('Of `productUserViewsCount`'),
    productAgentViews: activityComparisonSchema.describe('Of `productAgentViewsCount`'),
    offerViews: activityComparisonSchema.describe('Of `offerViewsCount`'),
    totalViews: activityComparisonSchema.describe('Of `totalViewsCount`'),
  })
  .meta({ id: 'MerchantViewComparisons' });

/** The answer of the merchant statistics endpoint. */
export const merchantStatsSchema = z
  .strictObject({
    merchantId: id.describe('The merchant ID given in the request path'),
    merchantName: z.string().describe('Name; empty when the catalog does not know the merchant'),
    productViewsCount: count.describe('User and agent views of products in the window'),
    productUserViewsCount: count.describe('Those by signed-in users'),
    productAgentViewsCount: count.describe('Those by AI agents'),
    offerViewsCount: count.describe('Views of offers, by signed-in users only'),
    totalViewsCount: count.describe('Product views plus offer views'),
    comparisons: merchantViewComparisonsSchema.describe(
      'The window compared with the latest previous daily snapshot',
    ),
    period: z.literal('24h').describe('The rolling 24 hours before the request'),
    comparisonDate: z.iso
      .date()
      .optional()
      .describe('Date of the latest previous snapshot; omitted until a baseline exists'),
    scheduledAt: z.literal('14:00 MSK').describe('When the daily snapshot is taken'),
    products: z
      .array(merchantContentViewSchema)
      .describe('Products with views in the window, most viewed first'),
    offers: z
      .array(merchantContentViewSchema)
      .describe('Offers with views in the window, most viewed first'),
  })
  .meta({ id: 'MerchantStats' });

export type ProductStats = z.infer<typeof productStatsSchema>;
export type MerchantContentView = z.infer<typeof merchantContentViewSchema>;
export type ActivityComparison = z.infer<typeof activityComparisonSchema>;
export type MerchantStats = z.infer<typeof merchantStatsSchema>;

/** Returns the zero counts of a product without views, known to the catalog or not. */
export function noProductStats(productId: number): ProductStats {
  return { productId, viewsCount: 0, likesCount: 0, dislikesCount: 0 };
}

/** Views of one of the merchant's items in the window. */
export type ItemViews = {
  kind: 'product' | 'offer';
  id: number;
  name: string;
  user: number;
  agent: number;
};

/** A merchant's counts in a daily snapshot, and its calendar date in Moscow. */
export type Baseline = {
  date: string;
  productUser: number;
  productAgent: number;
  offerUser: number;
};

/** The input of `merchantStats`. */
export type MerchantActivity = {
  merchantName: string;
  items: ItemViews[];
  baseline: Baseline | null;
};

/** Compares a count with its baseline; percent is rounded half away from zero to two decimals. */
export function compare(current: number, previous: number): ActivityComparison {
  return {
    count: current,
    previousCount: previous,
    changePercent: changePercent(current, previous),
  };
}

function changePercent(current: number, previous: number): number | null {
  if (previous === 0) return current === 0 ? 0 : null;
  const change = current - previous;
  // Integer arithmetic up to the rounding keeps halves exact: 1 of 16 is 6.25, 1 of 800 is 0.125 -> 0.13.
  const hundredths = Math.floor((Math.abs(change) * 20_000 + previous) / (2 * previous));
  return hundredths === 0 ? 0 : (Math.sign(change) * hundredths) / 100;
}

/** Builds the MerchantStats answer. */
export function merchantStats(merchantId: number, activity: MerchantActivity): MerchantStats {
  const products = contentViews(activity.items, 'product');
  const offers = contentViews(activity.items, 'offer');
  const productUser = sum(products, 'userViewsCount');
  const productAgent = sum(products, 'agentViewsCount');
  const offerViews = sum(offers, 'viewsCount');
  const base = activity.baseline ?? { date: '', productUser: 0, productAgent: 0, offerUser: 0 };
  const baseProducts = base.productUser + base.productAgent;
  return {
    merchantId,
    merchantName: activity.merchantName,
    productViewsCount: productUser + productAgent,
    productUserViewsCount: productUser,
    productAgentViewsCount: productAgent,
    offerViewsCount: offerViews,
    totalViewsCount: productUser + productAgent + offerViews,
    comparisons: {
      productViews: compare(productUser + productAgent, baseProducts),
      productUserViews: compare(productUser, base.productUser),
      productAgentViews: compare(productAgent, base.productAgent),
      offerViews: compare(offerViews, base.offerUser),
      totalViews: compare(productUser + productAgent + offerViews, baseProducts + base.offerUser),
    },
    period: '24h',
    ...(activity.baseline === null ? {} : { comparisonDate: activity.baseline.date }),
    scheduledAt: '14:00 MSK',
    products,
    offers,
  };
}

function contentViews(items: ItemViews[], kind: ItemViews['kind']): MerchantContentView[] {
  return items
    .filter((item) => item.kind === kind)
    .map((item) => ({
      id: item.id,
      name: item.name,
      viewsCount: item.user + item.agent,
      userViewsCount: item.user,
      agentViewsCount: item.agent,
    }))
    .sort((a, b) => b.viewsCount - a.viewsCount || a.id - b.id);
}

function sum(
  rows: MerchantContentView[],
  field: 'viewsCount' | 'userViewsCount' | 'agentViewsCount',
) {
  return rows.reduce((total, row) => total + row[field], 0);
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** 14:00 in Moscow is 11:00 UTC all year: Moscow has had UTC+3 without daylight saving since 2014. */
const SNAPSHOT_UTC_HOUR = 11;

/** Tells whether a daily snapshot may be taken at this instant: 14:00:00.000 MSK of some day. */
export function isSnapshotInstant(instant: Date): boolean {
  return instant.getTime() % DAY_MS === SNAPSHOT_UTC_HOUR * HOUR_MS;
}

/** Returns the latest 14:00 MSK that is not after `now`. */
export function latestSnapshotInstant(now: Date): Date {
  const sinceBoundary = now.getTime() - SNAPSHOT_UTC_HOUR * HOUR_MS;
  return new Date(Math.floor(sinceBoundary / DAY_MS) * DAY_MS + SNAPSHOT_UTC_HOUR * HOUR_MS);
}
