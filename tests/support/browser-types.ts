import type { z } from 'zod';
import type * as published from '../../public/vitrine.js';
import type {
  offerAnswerSchema,
  offerSearchSchema,
  productAnswerSchema,
  productSearchSchema,
} from '../../src/domain/records.ts';
import type { MerchantStats, ProductStats } from '../../src/domain/stats.ts';
import type { SearchArguments } from '../../src/search/arguments.ts';

/** True when each type may stand for the other. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** The published types of the browser module are those of the wire; the compiler refuses any other. */
export const PUBLISHED_TYPES_ARE_THE_WIRES: [
  Same<published.ProductStats, ProductStats>,
  Same<published.MerchantStats, MerchantStats>,
  Same<published.ProductSearchAnswer, z.infer<typeof productSearchSchema>>,
  Same<published.OfferSearchAnswer, z.infer<typeof offerSearchSchema>>,
  Same<published.ProductAnswer, z.infer<typeof productAnswerSchema>>,
  Same<published.OfferAnswer, z.infer<typeof offerAnswerSchema>>,
  Same<published.ProductSearch, SearchArguments>,
] = [true, true, true, true, true, true, true];
