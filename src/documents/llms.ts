import { escapeMarkdown } from '../domain/escape.ts';
import { formatMoney, markdownLink, shortName } from '../domain/links.ts';
import { listedDocuments } from '../domain/resources.ts';
import { describeService, endpoints } from '../domain/surface.ts';
import { USAGE } from '../domain/usage.ts';
import type { ShownOffer, Site } from '../publish/site.ts';

const OFFERS_SHOWN = 20;

/** A tool with its arguments. */
type ToolGuide = {
  name: string;
  description: string;
  arguments: { name: string; description: string }[];
};

/**
 * Renders /llms.txt, the guide for agents. llmstxt.org prescribes an H1 and a summary, then text without headings,
 * then H2 sections of link lists only.
 */
export function llmsText(site: Site, tools: ToolGuide[]): string {
  const { info, links } = site;
  const blocks = [
    `# ${info.name}`,
    `> ${describeService(info)}`,
    ...guidance(site, tools),
    ...linkSection(
      'Endpoints',
      endpoints(info).map(({ name, method, url, description }) => {
        return `[${name}](${url}): ${method}. ${description}`;
      }),
    ),
    ...linkSection(
      'Documents',
      listedDocuments(info).map(
        ({ name, url, description }) => `[${name}](${url}): ${description}`,
      ),
    ),
    ...linkSection(
      'Some current offers',
      ofManyKinds(site.latestOffers)
        .slice(0, OFFERS_SHOWN)
        .map((offer) => {
          const link = markdownLink(shortName(offer.title), links.offer(offer.id));
          return `${link}: ${offerNote(offer)}`;
        }),
    ),
  ];
  return `${blocks.join('\n\n')}\n`;
}

/** Rules, limits, tools and how to search: paragraphs and lists. */
function guidance({ info, links, counts }: Site, tools: ToolGuide[]): string[] {
  const { limits } = info;
  return [
    [
      `The catalog holds ${counts.products} products and ${counts.offers} current offers of`,
      `${counts.merchants} merchants with ${counts.stores} stores in ${counts.cities} cities.`,
      'No API key, token or account is needed.',
    ].join(' '),
    'How to search:',
    list([
      `Connect an MCP client to ${links.to('/mcp')} (Streamable HTTP, no authentication)`,
      "Send the user's own words as `query`, in any language, untranslated; city, district and merchant in their own fields",
      `Without a place the search covers ${info.defaultCity}`,
    ]),
    'The tools of the catalog server:',
    list(tools.flatMap(toolLines)),
    twinsLine(info, links),
    'Rules:',
    list([
      ...USAGE.allowed.map((rule) => `${rule}.`),
      `Not permitted: ${USAGE.not_allowed.join('; ')}.`,
      USAGE.attribution,
      USAGE.higher_volume,
    ]),
    'Limits per client:',
    list([
      `${limits.catalog_records_per_minute} returned product and offer records a minute, catalog server and showcase together`,
      `${limits.mcp_requests_per_minute} requests a minute to the catalog server`,
      `At most ${limits.records_per_search} records a search`,
      `${limits.merchant_stats_requests_per_hour} merchant and ${limits.product_stats_requests_per_hour} product statistics requests an hour`,
      'Over a limit: HTTP 429 with Retry-After in seconds; wait that long',
    ]),
  ];
}

/** Returns the URLs of pages as markdown. */
function twinsLine({ productPages }: Site['info'], links: Site['links']): string {
  const kinds = productPages ? ['offers', 'products'] : ['offers'];
  const twins = kinds.map((kind) => links.to(`/${kind}/{id}.md`));
  return `Record pages are also available as markdown: ${twins.join(' and ')}`;
}

/** Renders a tool with its arguments as a nested list. */
function toolLines({ name, description, arguments: all }: ToolGuide): string[] {
  const told = all.map((one) => `\`${one.name}\`${one.description && `: ${one.description}`}`);
  return [[`\`${name}\`: ${description}`, ...told].join('\n  - ')];
}

/** Interleaves categories: the first offer of each, then the second ones. */
function ofManyKinds<T extends ShownOffer>(offers: T[]): T[] {
  const kinds = [...Map.groupBy(offers, ({ aiCategory }) => aiCategory).values()];
  const most = Math.max(0, ...kinds.map(({ length }) => length));
  return Array.from({ length: most }, (_, turn) =>
    kinds.flatMap((kind) => kind[turn] ?? []),
  ).flat();
}

/** Returns price and merchant of an offer. */
function offerNote({ price, merchant }: ShownOffer): string {
  const amount = price === null ? [] : [formatMoney(price.amount, price.currency)];
  const name = merchant === null ? [] : [escapeMarkdown(shortName(merchant.name))];
  return [...amount, ...name].join(', ') || 'no price given';
}

/** Renders a section of links; empty without any. */
function linkSection(title: string, items: string[]): string[] {
  return items.length === 0 ? [] : [`## ${title}`, list(items)];
}

function list(items: string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}
