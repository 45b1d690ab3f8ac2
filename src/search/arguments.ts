import { z } from 'zod';
import { MAX_ID } from '../domain/ids.ts';
import { MAX_SEARCH_RECORDS } from '../domain/surface.ts';

export const DEFAULT_LIMIT = 10;
export const DEFAULT_RADIUS_METERS = 5000;

const name = z.string().trim().min(1).max(200);

/** Arguments shared by both searches. */
const shared = {
  query: z
    .string()
    .trim()
    .min(1)
    .max(400)
    .optional()
    .describe(
      "The user's own words in any language, untranslated, not expanded. A place or price in it limits nothing: the other fields do. Required without another filter",
    ),
  category: name.optional().describe('Name (accents and case ignored) or id as text'),
  city: name.optional().describe('A hard constraint; the default city by default'),
  district: name.optional().describe('A hard constraint; of the default city without city'),
  latitude: z.number().min(-90).max(90).optional().describe('With longitude'),
  longitude: z.number().min(-180).max(180).optional().describe('With latitude'),
  radius_meters: z
    .int()
    .min(100)
    .max(50_000)
    .optional()
    .describe(`With coordinates; ${DEFAULT_RADIUS_METERS} by default`),
  merchant: name.optional().describe('Name; a hard constraint'),
  merchant_id: z.int().min(1).max(MAX_ID).optional().describe('A hard constraint'),
  min_price: z.number().min(0).max(1e12).optional().describe('In reais (BRL)'),
  max_price: z.number().min(0).max(1e12).optional().describe('In reais (BRL)'),
};

const stock = {
  in_stock_only: z.boolean().optional().describe('true by default'),
};

const sorting = {
  sort: z
    .enum(['relevance', 'distance', 'price_asc', 'price_desc'])
    .optional()
    .describe('relevance by default; distance needs coordinates'),
};

const limit = {
  limit: z.int().min(1).max(MAX_SEARCH_RECORDS).optional().describe(`${DEFAULT_LIMIT} by default`),
};

/** Arguments of search_local_products. */
export const productSearchInput = z
  .strictObject({ ...shared, ...stock, ...sorting, ...limit })
  .superRefine(checkTogether);

/** Arguments of search_local_offers: as for products, without `in_stock_only` and sorting by price. */
export const offerSearchInput = z
  .strictObject({
    ...shared,
    sort: z
      .enum(['relevance', 'distance'])
      .optional()
      .describe('relevance by default; distance needs coordinates'),
    ...limit,
  })
  .superRefine(checkTogether);

/** Parsed arguments of either search; those of offers are a subset. */
export type SearchArguments = z.infer<typeof productSearchInput>;

function checkTogether(args: Partial<SearchArguments>, context: z.RefinementCtx): void {
  const refuse = (field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message });
  const located = args.latitude !== undefined && args.longitude !== undefined;
  if ((args.latitude === undefined) !== (args.longitude === undefined)) {
    const missing = args.latitude === undefined ? 'latitude' : 'longitude';
    refuse(missing, 'latitude and longitude must be given together');
  }
  if (args.radius_meters !== undefined && !located) {
    refuse('radius_meters', 'needs latitude and longitude');
  }
  if (args.sort === 'distance' && !located) refuse('sort', 'distance needs latitude and longitude');
  if (
    args.min_price !== undefined &&
    args.max_price !== undefined &&
    args.min_price > args.max_price
  ) {
    refuse('max_price', 'must not be below min_price');
  }
  const filters = [
    args.query,
    args.category,
    args.city,
    args.district,
    args.latitude,
    args.merchant,
    args.merchant_id,
    args.min_price,
    args.max_price,
  ];
  if (filters.every((filter) => filter === undefined)) {
    refuse('query', 'is required unless another filter is given');
  }
}
