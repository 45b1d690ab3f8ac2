import { readFileSync } from 'node:fs';
import { z } from 'zod';

const place = z.strictObject({ city: z.string().optional(), district: z.string().optional() });

const querySchema = z.strictObject({
  id: z.string(),
  split: z.enum(['dev', 'held']),
  language: z.string(),
  tags: z.array(z.string()),
  tool: z.enum(['products', 'offers']),
  arguments: z
    .looseObject({
      query: z.string().optional(),
      category: z.string().optional(),
      city: z.string().optional(),
      district: z.string().optional(),
      latitude: z.number().optional(),
      longitude: z.number().optional(),
      radius_meters: z.int().optional(),
      merchant: z.string().optional(),
      merchant_id: z.int().optional(),
      min_price: z.number().optional(),
      max_price: z.number().optional(),
      in_stock_only: z.boolean().optional(),
      sort: z.string().optional(),
      limit: z.int().optional(),
    })
    .readonly(),
  /** Full names of the places that the arguments abbreviate. */
  place: place.optional(),
  /** Record id -> grade: 3 what was asked for, 2 a shopper would accept it, 1 near. */
  relevant: z.record(z.string(), z.int().min(1).max(3)),
  /** Traps: records that must not stand before the first right one. */
  forbidden: z.array(z.int()).optional(),
  /** The honest answer holds nothing, or says that it fell back to a category. */
  empty: z.literal(true).optional(),
});

export type EvalQuery = z.infer<typeof querySchema>;

/** Four sets by four authors, each with a catalog of its own; none saw another's or the lexicon. */
export const SETS = ['first', 'second', 'third', 'fourth'] as const;
export type EvalSet = (typeof SETS)[number];

/** The feed of a set's catalog. */
export const catalogFile = (set: EvalSet): string => `tests/search/${set}/catalog.ndjson`;

/** The graded queries of a set, checked. */
export function readQueries(set: EvalSet): EvalQuery[] {
  const lines = readFileSync(`tests/search/${set}/queries.jsonl`, 'utf8').trim().split('\n');
  return lines.map((line) => querySchema.parse(JSON.parse(line)));
}
