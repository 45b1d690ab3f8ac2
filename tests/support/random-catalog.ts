// Random catalogs and search plans, dense enough that filters and words meet.
import fc from 'fast-check';
import { ROLE } from '../../src/domain/relevance.ts';
import type { Clause, SearchPlan, Word } from '../../src/domain/search.ts';
import type { Catalog } from './naive-search.ts';

/**
 * Texts are written as "head | title | aside | anywhere", so that plans can aim at every field. The word
 * "t1s" is another form of "t1"; the words before the first bar are the name.
 */
export const tokensOf = (text: string) => {
  const parts = text.split('|').map((part) => part.trim());
  const [head = [], title = [], aside = [], anywhere = []] = parts.map((part) =>
    part.split(' ').filter(Boolean).flatMap(tokensOfWord),
  );
  return { head, title, aside, anywhere, name: parts[0] ?? '' };
};
const SPELLINGS = new Map(['t1', 't2', 't3', 't4', 't5'].map((stem) => [`${stem}s`, stem]));
const tokensOfWord = (word: string) => {
  const stem = SPELLINGS.get(word);
  return stem === undefined ? [word] : [stem, `x:${word}`];
};
const STEMS = [...SPELLINGS.values()];
const CONCEPTS = ['c:1', 'c:2', 'c:3'];
/** Never searched for; only pads titles to several lengths. */
const FILLER = 'a-long-word-besides';
const MERCHANTS = [1, 2, 3, 4];
const CATEGORIES = [10, 11, 12];
const CITIES = ['São Paulo', 'Campinas'];
const DISTRICTS = ['Lapa', 'Sé', 'Centro'];
const day = (n: number) => new Date(Date.now() + n * 86_400_000).toISOString();
const PAST = '2026-01-01T00:00:00Z';

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const word = fc.constantFrom(...STEMS, ...STEMS, ...SPELLINGS.keys(), ...CONCEPTS);
const few = fc.array(word, { maxLength: 2 });
const text = fc
  .tuple(few, few, few, fc.array(fc.oneof(word, fc.constant(FILLER)), { maxLength: 6 }))
  .map((parts) => parts.map((part) => part.join(' ')).join(' | '))
  .map((joined) => (joined.replaceAll('|', '').trim() === '' ? 't1' : joined.trim()));
const price = maybe(
  fc.record({
    amount: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 900_000 })),
    currency: fc.constantFrom('BRL', 'BRL', 'BRL', 'USD'),
  }),
);
const latitude = fc.double({ min: -23.7, max: -23.3, noNaN: true });
const longitude = fc.double({ min: -46.9, max: -46.4, noNaN: true });
const coordinates = maybe(fc.tuple(latitude, longitude));

const store = fc
  .record({
    merchant_id: fc.constantFrom(...MERCHANTS),
    district: fc.constantFrom(...DISTRICTS),
    city: fc.constantFrom(...CITIES),
    at: coordinates,
  })
  .map(({ at, ...rest }) => ({
    kind: 'store' as const,
    name: 'loja',
    address: 'rua',
    ...rest,
    latitude: at?.[0] ?? null,
    longitude: at?.[1] ?? null,
  }));
const updated = fc.constantFrom(PAST, '2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z');
const image = { type: 'image' as const, url: 'https://x.example/1.jpg' };
const media = fc.boolean().map((any) => (any ? [image] : []));
const product = fc.record({
  kind: fc.constant('product' as const),
  merchant_id: fc.constantFrom(...MERCHANTS),
  category_id: maybe(fc.constantFrom(...CATEGORIES)),
  name: text,
  description: maybe(fc.constant('x')),
  price,
  in_stock: fc.boolean(),
  media,
  updated_at: updated,
});
const validity = fc.constantFrom(
  { valid_from: null, valid_until: null },
  { valid_from: PAST, valid_until: day(2) },
  { valid_from: PAST, valid_until: day(-1) },
  { valid_from: day(2), valid_until: null },
);
const offer = fc
  .record({
    kind: fc.constant('offer' as const),
    merchant_id: fc.constantFrom(...MERCHANTS),
    product_id: maybe(fc.integer({ min: 1, max: 12 })),
    title: text,
    ai_category: maybe(fc.constantFrom('promo', 'moda')),
    quality_score: fc.double({ min: 0, max: 1, noNaN: true }),
    price,
    validity,
    status: fc.constantFrom('active' as const, 'active' as const, 'hidden' as const),
    app_only_top: fc.constantFrom(false, false, true),
    updated_at: updated,
  })
  .map(({ validity: valid, ...rest }) => ({ ...rest, ...valid }));
const numbered = <T extends { kind: string }>(
  one: fc.Arbitrary<T>,
  minLength: number,
  maxLength: number,
) =>
  fc
    .array(one, { minLength, maxLength })
    .map((list) => list.map((each, place) => ({ ...each, id: place + 1 })));

/** A catalog of a few merchants. */
export const catalogs: fc.Arbitrary<Catalog> = fc
  .record({
    stores: numbered(store, 0, 8),
    products: numbered(product, 12, 40),
    offers: numbered(offer, 0, 25),
    payments: fc.integer({ min: 0, max: 2 }),
  })
  .map(({ stores, products, offers, payments }) => ({
    stores,
    products,
    // The first offers are payment offers: valid everywhere.
    offers: offers.map((one, place) =>
      place < payments ? { ...one, id: -one.id, merchant_id: null } : one,
    ),
  }));

const spokenWord: fc.Arbitrary<Word> = fc.oneof(
  fc.constantFrom(...STEMS).map((token) => ({ token, spelled: null, belongsTo: true as const })),
  fc.constantFrom(...STEMS, 'unknown').map((token) => ({ token, spelled: null })),
  fc.constantFrom(...SPELLINGS).map(([form, token]) => ({ token, spelled: `x:${form}` })),
  fc.constant({ token: 'unknown', spelled: 'x:unknowns' }),
  // A plural form that no record has.
  fc.constantFrom(...STEMS).map((token) => ({ token, spelled: `x:${token}es` })),
);
const spokenWords = (maxLength: number) =>
  fc.uniqueArray(spokenWord, { maxLength, selector: ({ token }) => token });
const meaning = fc.record({
  token: fc.constantFrom(...CONCEPTS, ...STEMS.slice(0, 2), 'c:unknown'),
  sureness: fc.constantFrom(1, 1, 0.88, 0.85, 0.8, 0.6, 0.3),
});
const meanings = fc.array(meaning, { maxLength: 3 });
const none = fc.constant([]).map((): never[] => []);
const { soft, ...roles } = ROLE;
const hard = fc.constantFrom(...Object.values(roles));
const clause: fc.Arbitrary<Omit<Clause, 'label'>> = fc.oneof(
  fc.record({
    kind: fc.constant('concept' as const),
    weight: fc.oneof(hard, hard, fc.constantFrom(soft, soft / 2)),
    leads: fc.boolean(),
    words: spokenWords(3),
    meanings,
    names: spokenWords(2),
  }),
  fc.record({
    kind: fc.constant('term' as const),
    weight: fc.oneof(hard, hard, hard, fc.constantFrom(soft, soft / 2)),
    leads: fc.boolean(),
    words: fc.oneof(spokenWords(1), spokenWords(3)),
    meanings: fc.oneof(none, meanings),
    names: none,
  }),
);
/** A search as the tools would make it. */
export const plans: fc.Arbitrary<SearchPlan> = fc
  .record({
    clauses: fc
      .array(clause, { maxLength: 5 })
      .map((clauses) => clauses.map((one, place) => ({ label: `clause ${place}`, ...one }))),
    title: maybe(few.map((words) => words.join(' '))),
    categoryIds: maybe(fc.subarray(CATEGORIES, { minLength: 1 })),
    aiCategoryKeys: fc.uniqueArray(fc.constantFrom('promo', 'moda')),
    merchantIds: maybe(fc.subarray(MERCHANTS, { minLength: 1 })),
    city: maybe(fc.constantFrom(...CITIES)),
    district: maybe(fc.constantFrom(...DISTRICTS)),
    near: maybe(
      fc.record({ latitude, longitude, radiusMeters: fc.integer({ min: 100, max: 50_000 }) }),
    ),
    minPrice: maybe(fc.integer({ min: 0, max: 500 })),
    maxPrice: maybe(fc.integer({ min: 500, max: 900_000 })),
    inStockOnly: fc.boolean(),
    sort: fc.constantFrom('relevance', 'distance', 'price_asc', 'price_desc'),
    cheap: fc.boolean(),
    nearby: fc.boolean(),
    preferredDistrict: maybe(fc.constantFrom(...DISTRICTS)),
    preferredNear: maybe(
      fc.record({ latitude, longitude, radiusMeters: fc.integer({ min: 100, max: 5000 }) }),
    ),
    preferredPrice: maybe(
      fc.record({
        min: maybe(fc.integer({ min: 0, max: 500 })),
        max: maybe(fc.integer({ min: 500, max: 900_000 })),
      }),
    ),
    preferredMerchantIds: maybe(fc.subarray(MERCHANTS, { minLength: 1, maxLength: 2 })),
    limit: fc.integer({ min: 1, max: 20 }),
  })
  .map((plan) => ({
    ...plan,
    // As the tools make them: a district comes with its city, a name of its own with the ids.
    city: plan.district !== null ? (plan.city ?? 'São Paulo') : plan.city,
    // Preferred only where the search is kept to a city alone.
    preferredDistrict:
      plan.city === null || plan.district !== null || plan.near !== null
        ? null
        : plan.preferredDistrict,
    preferredNear:
      plan.city === null ||
      plan.district !== null ||
      plan.near !== null ||
      plan.preferredDistrict !== null
        ? null
        : plan.preferredNear,
    preferredMerchantIds: plan.merchantIds === null ? plan.preferredMerchantIds : null,
    title: plan.clauses.length === 0 ? null : plan.title,
    aiCategoryKeys: plan.categoryIds === null ? [] : plan.aiCategoryKeys,
    sort: plan.near === null && plan.sort === 'distance' ? 'relevance' : plan.sort,
  }));

const frame = [
  ...MERCHANTS.map((id) => ({ kind: 'merchant', id, name: `m${id}` })),
  ...CATEGORIES.map((id) => ({ kind: 'category', id, name: `c${id}` })),
];
/** The records of a catalog with those they refer to. */
export const feedOf = ({ stores, products, offers }: Catalog) => [
  ...frame,
  ...stores,
  ...products,
  ...offers,
];
