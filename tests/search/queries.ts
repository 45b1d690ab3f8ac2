import { readdirSync, readFileSync } from 'node:fs';
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
  /** Traps: records that must not rank above the first right one. */
  forbidden: z.array(z.int()).optional(),
  /** The right answer is empty, or declares a category fallback. */
  empty: z.literal(true).optional(),
});

export type EvalQuery = z.infer<typeof querySchema>;

/**
 * Sets by as many authors, none of whom saw the lexicon or another's: four of all kinds with a catalog each; the
 * names of 360 plain goods in 35 languages; and sentences in 36 over the catalog of these goods.
 */
export const SETS = ['first', 'second', 'third', 'fourth', 'goods', 'sentences'] as const;
export type EvalSet = (typeof SETS)[number];

/** The feed of a set's catalog. */
export const catalogFile = (set: EvalSet): string =>
  `tests/search/${set === 'sentences' ? 'goods' : set}/catalog.ndjson`;

/** The graded queries of a set, checked. */
export function readQueries(set: EvalSet): EvalQuery[] {
  if (set === 'goods') return readGoods().map((query) => querySchema.parse(query));
  return linesOf(`tests/search/${set}/queries.jsonl`).map((line) =>
    querySchema.parse(JSON.parse(line)),
  );
}

const linesOf = (file: string) => readFileSync(file, 'utf8').trim().split('\n');

/** A query for each name of each good in a language; every second good is held back. */
function readGoods(): EvalQuery[] {
  const goods = linesOf('tests/search/goods/goods.tsv')
    .slice(1)
    .map((line) => line.split('\t'));
  const names = new Map([
    ['pt', goods.map(([, , , pt = '']) => pt)],
    ['en', goods.map(([, , , , en = '']) => en)],
    ...readdirSync('tests/search/goods/names').map((file): [string, string[]] => [
      file.replace('.txt', ''),
      linesOf(`tests/search/goods/names/${file}`).map((line) => line.split('\t')[1] ?? ''),
    ]),
  ]);
  return [...names].flatMap(([language, words]) =>
    goods.map(([id = '', group = '', grades = ''], place) => ({
      ...{ id: `${language}-${id}`, language, tool: 'products' as const, tags: [group] },
      split: place % 2 === 0 ? ('dev' as const) : ('held' as const),
      arguments: { query: words[place] ?? '' },
      relevant: Object.fromEntries(
        grades
          .split(' ')
          .map((grade) => grade.split(':'))
          .map(([record, grade]) => [record, Number(grade)]),
      ),
    })),
  );
}
