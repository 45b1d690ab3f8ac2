import { parseOfferId, parsePositiveId } from '../../domain/ids.ts';
import { isOurs } from '../../domain/links.ts';
import { nameKey } from '../../domain/places.ts';
import type { Live } from '../live.ts';
import { type Tool, type ToolContext, ToolFault } from './define-tool.ts';
import { getOffer, searchLocalOffers } from './offers.ts';
import { catalogOverview } from './overview.ts';
import { getProduct, searchLocalProducts } from './products.ts';
import {
  idIn,
  jsonContents,
  MAX_COMPLETIONS,
  queryIn,
  type Resource,
  type ResourceAnswer,
  type ResourceContent,
  type ResourceTemplate,
} from './resource.ts';

const OVERVIEW_URI = 'vitrine://catalog/overview';

/** The guide for agents, from the current release. */
const guide: Resource = {
  name: 'llms.txt',
  title: 'Guide for agents',
  description: 'What the service is, its use rules, limits, endpoints and documents',
  mimeType: 'text/plain',
  uri: ({ links }) => links.to('/llms.txt'),
  async read({ live }) {
    const text = await live.published.text('/llms.txt');
    if (text === null) return null;
    const uri = live.links.to('/llms.txt');
    return { contents: [{ uri, mimeType: 'text/plain', text }], records: 0 };
  },
};

/** The answer of catalog_overview. */
const overview: Resource = {
  name: 'catalog_overview',
  title: 'Catalog overview',
  description: 'Live catalog counts, public documents and machine-readable endpoints',
  mimeType: 'application/json',
  uri: () => OVERVIEW_URI,
  read: (context) => answerOf(catalogOverview, {}, context, OVERVIEW_URI),
};

/** The resources of the catalog server, in the order in which they are listed. */
export const RESOURCES: readonly Resource[] = [guide, overview];

/** Makes the template of a record's canonical URL, which answers link to; reads it with its get_* tool. */
function recordTemplate(
  kind: 'product' | 'offer',
  tool: Tool,
  parseId: (text: string) => number | null,
): ResourceTemplate {
  return {
    name: kind,
    title: kind === 'product' ? 'Product' : 'Offer',
    description: `The page of one ${kind} at its canonical URL, looked up as ${tool.name} does`,
    // HTML if we publish the page, else JSON.
    mimeType: null,
    charged: true,
    uriTemplate: ({ links }) => links.templates[kind],
    match(uri, { links }) {
      const id = idIn(uri, links.templates[kind]);
      return id === null || parseId(id) === null ? null : { id };
    },
    async read({ id = '' }, context, uri) {
      const args = { [`${kind}_id`]: parseId(id) };
      const answer = await answerOf(tool, args, context, uri).catch(noneWhenUnknown);
      const page = answer && (await pageAt(uri, context.live));
      return page === null ? answer : { contents: [page], records: 1 };
    },
    // Ids must not be enumerable.
    complete: async () => [],
  };
}

/** Makes the template of a search, whose variables clients complete and fill in. */
function searchTemplate(kind: 'products' | 'offers', tool: Tool): ResourceTemplate {
  const address = `vitrine://search/${kind}`;
  return {
    name: `search_${kind}`,
    title: tool.title,
    description: `What ${tool.name} returns for these words and places`,
    mimeType: 'application/json',
    charged: true,
    uriTemplate: () => `${address}{?${SEARCH_VARIABLES.join(',')}}`,
    match: (uri) => queryIn(uri, address),
    read: (variables, context, uri) => answerOf(tool, variables, context, uri),
    complete: completeSearchVariable,
  };
}

/** The resource templates of the catalog server, in the order in which they are listed. */
export const RESOURCE_TEMPLATES: readonly ResourceTemplate[] = [
  recordTemplate('product', getProduct, parsePositiveId),
  recordTemplate('offer', getOffer, parseOfferId),
  searchTemplate('products', searchLocalProducts),
  searchTemplate('offers', searchLocalOffers),
];

async function answerOf(
  tool: Tool,
  args: unknown,
  context: ToolContext,
  uri: string,
): Promise<ResourceAnswer> {
  const { structuredContent, records } = await tool.run(args, context);
  return { contents: jsonContents(uri, structuredContent), records };
}

/** Returns the published page at a URI; null if it is on the mall's own site or not yet published. */
async function pageAt(uri: string, { links, published }: Live): Promise<ResourceContent | null> {
  const text = isOurs(uri, links.baseUrl)
    ? await published.text(uri.slice(links.baseUrl.length))
    : null;
  return text === null ? null : { uri, mimeType: 'text/html', text };
}

function noneWhenUnknown(error: unknown): null {
  if (error instanceof ToolFault) return null;
  throw error;
}

/** The variables of a search URI, in the order in which clients show them. */
const SEARCH_VARIABLES = ['query', 'category', 'city', 'district', 'merchant'] as const;

/** Merchants are completed from two letters on, so that they cannot be listed. */
const MERCHANT_LETTERS = 2;

/** Completes a search variable by names of the catalog; returns one more than is shown, to tell `hasMore`. */
async function completeSearchVariable(
  variable: string,
  typed: string,
  others: Record<string, string>,
  { catalog, info }: Live,
): Promise<string[]> {
  const limit = MAX_COMPLETIONS + 1;
  switch (variable) {
    case 'category':
      return catalog.completeCategory(typed, limit);
    case 'city':
      return catalog.completeCity(typed, limit);
    case 'district':
      return catalog.completeDistrict(others.city ?? info.defaultCity, typed, limit);
    case 'merchant':
      return nameKey(typed).length < MERCHANT_LETTERS ? [] : catalog.completeMerchant(typed, limit);
    default:
      return [];
  }
}
