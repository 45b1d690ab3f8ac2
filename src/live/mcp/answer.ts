import type { FeedKind } from '../../domain/catalog.ts';
import { isOurs } from '../../domain/links.ts';
import type { OfferDetail, ProductDetail } from '../../domain/records.ts';
import type { ServiceInfo } from '../../domain/surface.ts';
import { usageLine } from '../../domain/usage.ts';
import type { SearchOutcome } from '../../search/outcome.ts';
import type { Live } from '../live.ts';
import { searchText } from '../records/list-text.ts';
import { type Item, offerText, paragraphs, productText } from '../records/text.ts';
import { type Room, USUAL_ROOM } from '../records/wire.ts';
import { type ToolAnswer, ToolFault } from './define-tool.ts';
import { agentMessage } from './messages.ts';

/** Agent hosts truncate answers above about 25,000 tokens; a search answer stays well below. */
const MAX_ANSWER_BYTES = 39_500;
/** Room per record, tried in order until the answer is short enough. */
const LESS_ROOM: Room[] = [
  { letters: 120, parts: 4 },
  { letters: 60, parts: 2 },
  { letters: 30, parts: 1 },
  { letters: 12, parts: 1 },
  { letters: 4, parts: 0 },
];

/** The records of a search: their field in the answer, and how to write them. */
type Listed<R> = {
  field: 'products' | 'offers';
  records(room: Room): R[];
  item(record: R): Item;
};

/** The report of a search, with its messages in English. */
type SpokenReport = Omit<SearchOutcome<unknown>, 'hits' | 'messages'> & { messages: string[] };

/** Makes the answer of a search: its records, the same as text, and the report; at most 39.5 kB. */
export function searchAnswer<R>(
  info: ServiceInfo,
  outcome: Omit<SearchOutcome<unknown>, 'hits'>,
  listed: Listed<R>,
): ToolAnswer {
  const report = { ...outcome, messages: outcome.messages.map(agentMessage) };
  let answer = makeSearchAnswer(info, report, listed, USUAL_ROOM);
  for (const room of LESS_ROOM) {
    if (Buffer.byteLength(JSON.stringify(answer)) <= MAX_ANSWER_BYTES) break;
    answer = makeSearchAnswer(info, report, listed, room);
  }
  return answer;
}

/** Makes the answer of get_product: the record, and the same as text. */
export function productAnswer(info: ServiceInfo, product: ProductDetail): ToolAnswer {
  const link = { name: product.name, url: product.product_url };
  return detailAnswer(info, { product }, productText(product), link);
}

/** Makes the answer of get_offer. */
export function offerAnswer(info: ServiceInfo, offer: OfferDetail): ToolAnswer {
  const link = { name: offer.title, url: offer.offer_url };
  return detailAnswer(info, { offer }, offerText(offer), link);
}

/** What an id may belong to instead, and how to use it. */
const OTHER_KINDS: Record<FeedKind, string> = {
  product: 'a product: get_product',
  offer: 'an offer: get_offer',
  merchant: 'a merchant: pass it as merchant_id to a search',
  category: 'a category: pass it as category to a search',
  store: 'a store: get_product and get_offer list the stores of a merchant',
};

/** Makes the fault of an unknown id, which says what the id belongs to instead. */
export async function unknownId(
  kind: 'product' | 'offer',
  id: number,
  { catalog }: Live,
): Promise<ToolFault> {
  const others = await catalog.kindsOf(id);
  const none =
    kind === 'product'
      ? `No product has the id ${id}.`
      : `No public offer has the id ${id}; it may have ended.`;
  const hints =
    others.length === 0
      ? [`Ids are those of search results: search_local_${kind}s.`]
      : others.map((other) => `${id} is ${OTHER_KINDS[other]}.`);
  return new ToolFault([none, ...hints].join(' '));
}

function makeSearchAnswer<R>(
  info: ServiceInfo,
  report: SpokenReport,
  { field, records, item }: Listed<R>,
  room: Room,
): ToolAnswer {
  const found = records(room);
  const items = found.map(item);
  const { name: service } = info;
  const usage = usageLine(service);
  const text = searchText({ service, ...report, usage }, items);
  return {
    structuredContent: {
      service,
      [field]: found,
      result_count: found.length,
      answer_markdown: text,
      ...report,
      usage,
    },
    content: contentBlocks(text, items, info),
    records: found.length,
  };
}

function detailAnswer(
  info: ServiceInfo,
  record: { product: ProductDetail } | { offer: OfferDetail },
  words: string,
  link: RecordLink,
): ToolAnswer {
  const usage = usageLine(info.name);
  const text = paragraphs([`From ${info.name}:`, words, usage]);
  return {
    structuredContent: { service: info.name, ...record, answer_markdown: text, usage },
    content: contentBlocks(text, [link], info),
    records: 1,
  };
}

type RecordLink = Pick<Item, 'name' | 'url'>;

/**
 * Makes the content of an answer: the text, then a link to each record's canonical page. Its MIME type is that of
 * `resources/read` (resources.ts): JSON if the page is on the mall's own site.
 */
function contentBlocks(
  text: string,
  links: RecordLink[],
  { baseUrl }: ServiceInfo,
): ToolAnswer['content'] {
  return [
    { type: 'text', text },
    ...links.map(({ name, url }) => ({
      type: 'resource_link' as const,
      uri: url,
      name,
      title: name,
      mimeType: isOurs(url, baseUrl) ? 'text/html' : 'application/json',
    })),
  ];
}
