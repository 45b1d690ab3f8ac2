import { z } from 'zod';
import { MAX_ID } from '../../domain/ids.ts';
import { productAnswerSchema, productSearchSchema } from '../../domain/records.ts';
import { usageLine } from '../../domain/usage.ts';
import {
  contentBlocks,
  detailMarkdown,
  productDetail,
  productEntry,
  productRecord,
} from './present.ts';
import { runSearch } from './search.ts';
import { searchAnswer } from './search-answer.ts';
import { productSearchInput } from './search-arguments.ts';
import { defineTool, ToolFault } from './tool.ts';

/** search_local_products: product discovery by the user's words and hard constraints. */
export const searchLocalProducts = defineTool({
  name: 'search_local_products',
  title: 'Search local products',
  description:
    'Finds products of local stores and restaurants by query, category, place, merchant or price. ' +
    "The query takes the user's original request in any language. Returns at most 20 records.",
  input: productSearchInput,
  output: productSearchSchema,
  charged: true,
  async run(args, context) {
    const { info, links, catalog } = context.live;
    const { hits, ...outcome } = await runSearch(args, context, {
      kind: 'products',
      find: catalog.searchProducts,
    });
    return searchAnswer(info.name, outcome, {
      field: 'products',
      records: (nameLetters) => hits.map((hit) => productRecord(hit, links, nameLetters)),
      entry: productEntry,
    });
  },
});

/** get_product: one product by its id; records one agent view of it. */
export const getProduct = defineTool({
  name: 'get_product',
  title: 'Get product',
  description:
    'Returns details, price, merchant stores and the canonical URL of the product with a known ID.',
  input: z.strictObject({
    product_id: z.int().min(1).max(MAX_ID).describe('A product id, as search results give it'),
  }),
  output: productAnswerSchema,
  charged: true,
  async run({ product_id: id }, { live }) {
    const found = await live.catalog.product(id);
    if (found === null) throw new ToolFault(`No product has the id ${id}.`);
    await live.stats.recordAgentView(id);
    const { info, links } = live;
    const product = productDetail(found.product, found.stores, links);
    const entry = productEntry(product);
    const markdown = detailMarkdown(info.name, entry, product.description);
    return {
      structuredContent: {
        service: info.name,
        product,
        answer_markdown: markdown,
        usage: usageLine(info.name),
      },
      content: contentBlocks(markdown, [entry]),
      records: 1,
    };
  },
});
