import { z } from 'zod';
import { MAX_ID } from '../../domain/ids.ts';
import { offerAnswerSchema, offerSearchSchema } from '../../domain/records.ts';
import { MAX_SEARCH_RECORDS } from '../../domain/surface.ts';
import { offerSearchInput } from '../../search/arguments.ts';
import { runSearch } from '../../search/search.ts';
import { offerItem } from '../records/text.ts';
import { offerDetail, offerRecord } from '../records/wire.ts';
import { offerAnswer, searchAnswer, unknownId } from './answer.ts';
import { defineTool } from './define-tool.ts';

/** search_local_offers: current offers ranked by relevance and quality score together. */
export const searchLocalOffers = defineTool({
  name: 'search_local_offers',
  title: 'Search local offers',
  description:
    'Finds current offers of local stores and restaurants (deals, discounts, promotions, ways of payment), ' +
    'ranked by semantic relevance and an AI quality score. For anything that need not be on offer: ' +
    `search_local_products. Place, prices and limits as there. At most ${MAX_SEARCH_RECORDS} records.`,
  input: offerSearchInput,
  output: offerSearchSchema,
  charged: true,
  async run(args, context) {
    const { info, links, catalog } = context.live;
    const { hits, ...outcome } = await runSearch(args, context, {
      kind: 'offers',
      find: catalog.searchOffers,
    });
    return searchAnswer(info, outcome, {
      field: 'offers',
      records: (room) => hits.map((hit) => offerRecord(hit, links, room)),
      item: offerItem,
    });
  },
});

/** get_offer: one offer of the public index by its id. */
export const getOffer = defineTool({
  name: 'get_offer',
  title: 'Get offer',
  description:
    'Returns AI category, enriched copy, quality score, media and the canonical URL of the offer ' +
    'with a known ID, such as search_local_offers gives. Negative IDs denote payment offers.',
  input: z.strictObject({
    offer_id: z
      .int()
      .min(-MAX_ID)
      .max(MAX_ID)
      .refine((id) => id !== 0, 'must not be 0'),
  }),
  output: offerAnswerSchema,
  charged: true,
  async run({ offer_id: id }, { live }) {
    const found = await live.catalog.offer(id);
    if (found === null) throw await unknownId('offer', id, live);
    return offerAnswer(live.info, offerDetail(found.offer, found.stores, live.links));
  },
});
