import { formatMoney, markdownLink, shortName } from '../domain/links.ts';
import { describeService, documents, endpoints } from '../domain/surface.ts';
import { USAGE } from '../domain/usage.ts';
import type { Site } from '../publish/site.ts';

const OFFERS_SHOWN = 20;

/** /llms.txt: the text guide for agents (llmstxt.org). */
export function llmsText(site: Site): string {
  const { info, links, counts } = site;
  const { limits } = info;
  const offers = site.offerIds
    .filter((id) => id > 0)
    .slice(0, OFFERS_SHOWN)
    .flatMap((id) => site.offer(id) ?? []);
  const sections = [
    `# ${info.name}`,
    `> ${describeService(info)}`,
    [
      `The catalog holds ${counts.products} products and ${counts.offers} current offers of`,
      `${counts.merchants} merchants with ${counts.stores} stores in ${counts.cities} cities.`,
      'No API key, token or account is needed.',
    ].join(' '),
    list('Rules', [
      ...USAGE.allowed.map((rule) => `${rule}.`),
      `Not permitted: ${USAGE.not_allowed.join('; ')}.`,
      USAGE.attribution,
      USAGE.higher_volume,
    ]),
    list('Limits', [
      `${limits.catalog_records_per_minute} returned product and offer records per client and minute, catalog server and showcase together`,
      `at most ${limits.records_per_search} records per search`,
      `${limits.merchant_stats_requests_per_hour} merchant and ${limits.product_stats_requests_per_hour} product statistics requests per client and hour`,
      'Over a limit: HTTP 429 with Retry-After in seconds; wait that long',
    ]),
    list('How to search', [
      `Connect an MCP client to ${links.to('/mcp')} (Streamable HTTP, no authentication)`,
      "Send the user's own words as `query`, in any language, untranslated; city, district and merchant in their own fields",
      `Without a place the search covers ${info.defaultCity}`,
    ]),
    list(
      'Endpoints',
      endpoints(info).map(({ name, method, url, description }) => {
        return `[${name}](${url}): ${method}. ${description}`;
      }),
    ),
    list(
      'Documents',
      documents(info).map(({ name, url, description }) => `[${name}](${url}): ${description}`),
    ),
    list(
      'Some current offers',
      offers.map(({ offer }) => {
        const price =
          offer.price === null ? '' : `: ${formatMoney(offer.price.amount, offer.price.currency)}`;
        return markdownLink(shortName(offer.title), links.offer(offer.id)) + price;
      }),
    ),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function list(title: string, items: string[]): string {
  if (items.length === 0) return '';
  return [`## ${title}`, '', ...items.map((item) => `- ${item}`)].join('\n');
}
