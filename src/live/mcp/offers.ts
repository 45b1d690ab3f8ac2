import { z } from 'zod';
import { MAX_ID } from '../../domain/ids.ts';
import { offerAnswerSchema, offerSearchSchema } from '../../domain/records.ts';
import { usageLine } from '../../domain/usage.ts';
import { contentBlocks, detailMarkdown, offerDetail, offerEntry, offerRecord } from './present.ts';
import { runSearch } from './search.ts';
import { searchAnswer } from './search-answer.ts';
import { offerSearchInput } from './search-arguments.ts';
import { defineTool, ToolFault } from './tool.ts';

/** search_local_offers: current offers ranked by relevance and quality score together. */
export const searchLocalOffers = defineTool({
  name: 'search_local_offers',
  title: 'Search local offers',
  description:
    'Finds current offers of local stores and restaurants, ranked by semantic relevance and an AI ' +
    "quality score. The query takes the user's original request in any language. Returns at most 20 records.",
  input: offerSearchInput,
  output: offerSearchSchema,
  charged: true,
  async run(args, context) {
    const { info, links, catalog } = context.live;
    const { hits, ...outcome } = await runSearch(args, context, {
      kind: 'offers',
      find: catalog.searchOffers,
    });
    return searchAnswer(info.name, outcome, {
      field: 'offers',
      records: (nameLetters) => hits.map((hit) => offerRecord(hit, links, nameLetters)),
      entry: offerEntry,
    });
  },
});

/** get_offer: one offer of the public index by its id. */
export const getOffer = defineTool({
  name: 'get_offer',
  title: 'Get offer',
  description:
    'Returns AI category, enriched copy, quality score, media and the canonical URL of the offer ' +
    'with a known ID. Negative IDs denote payment offers.',
  input: z.strictObject({
    offer_id: z
      .int()
      .min(-MAX_ID)
      .max(MAX_ID)
      .refine((id) => id !== 0, 'must not be 0')
      .describe('An offer id, as search results give it'),
  }),
  output: offerAnswerSchema,
  charged: true,
  async run({ offer_id: id }, { live }) {
    const found = await live.catalog.offer(id);
    if (found === null) throw new ToolFault(`No public offer has the id ${id}.`);
    const { info, links } = live;
    const offer = offerDetail(found.offer, found.stores, links);
    const entry = offerEntry(offer);
    const markdown = detailMarkdown(info.name, entry, offer.enriched_copy ?? offer.description);
    return {
      structuredContent: {
        service: info.name,
        offer,
        answer_markdown: markdown,
        usage: usageLine(info.name),
      },
      content: contentBlocks(markdown, [entry]),
      records: 1,
    };
  },
});
