import { z } from 'zod';
import { MAX_ID } from '../../domain/ids.ts';
import { productAnswerSchema, productSearchSchema } from '../../domain/records.ts';
import { MAX_SEARCH_RECORDS } from '../../domain/surface.ts';
import { productSearchInput } from '../../search/arguments.ts';
import { runSearch } from '../../search/search.ts';
import { findOnOffer } from '../../search/wishes.ts';
import { productItem } from '../records/text.ts';
import { productDetail, productRecord } from '../records/wire.ts';
import { productAnswer, searchAnswer, unknownId } from './answer.ts';
import { defineTool } from './define-tool.ts';

/** search_local_products: product discovery by the user's words and hard constraints. */
export const searchLocalProducts = defineTool({
  name: 'search_local_products',
  title: 'Search local products',
  description:
    "Finds products, dishes and services of local stores and restaurants by the user's own words, " +
    'category, place, merchant or price: what can be bought, at its usual price. Deals and promotions: ' +
    'search_local_offers. Without city, coordinates or merchant it searches the default city. Prices ' +
    `are given in reais and returned in centavos. At most ${MAX_SEARCH_RECORDS} records.`,
  input: productSearchInput,
  output: productSearchSchema,
  charged: true,
  async run(args, context) {
    const { info, links, catalog } = context.live;
    const { hits, ...outcome } = await runSearch(args, context, {
      kind: 'products',
      find: catalog.searchProducts,
      findOnOffer: (plan) => findOnOffer(plan, catalog),
    });
    return searchAnswer(info, outcome, {
      field: 'products',
      records: (room) => hits.map((hit) => productRecord(hit, links, room)),
      item: productItem,
    });
  },
});

/** get_product: one product by its id; records one agent view of it. */
export const getProduct = defineTool({
  name: 'get_product',
  title: 'Get product',
  description:
    'Returns details, price, merchant stores and the canonical URL of the product with a known ID, ' +
    'such as search_local_products gives. Offers have IDs of their own: get_offer.',
  input: z.strictObject({
    product_id: z.int().min(1).max(MAX_ID),
  }),
  output: productAnswerSchema,
  charged: true,
  async run({ product_id: id }, { live }) {
    const found = await live.catalog.product(id);
    if (found === null) throw await unknownId('product', id, live);
    await live.stats.recordAgentView(id);
    return productAnswer(live.info, productDetail(found.product, found.stores, live.links));
  },
});
