import type { Tool } from './define-tool.ts';
import { getOffer, searchLocalOffers } from './offers.ts';
import { catalogOverview } from './overview.ts';
import { getProduct, searchLocalProducts } from './products.ts';

/** The tools of the catalog server, in the order in which they are listed. */
export const TOOLS: readonly Tool[] = [
  catalogOverview,
  searchLocalProducts,
  getProduct,
  searchLocalOffers,
  getOffer,
];
