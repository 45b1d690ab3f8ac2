import { z } from 'zod';
import { escapeMarkdown } from '../../domain/escape.ts';
import { type Overview, overviewSchema } from '../../domain/records.ts';
import { listedDocuments } from '../../domain/resources.ts';
import { endpoints } from '../../domain/surface.ts';
import { USAGE, usageText } from '../../domain/usage.ts';
import { list, paragraphs } from '../records/text.ts';
import { defineTool } from './define-tool.ts';

/** catalog_overview: live counts, categories and places, public documents and endpoints. */
export const catalogOverview = defineTool({
  name: 'catalog_overview',
  title: 'Catalog overview',
  description:
    'Returns live catalog counts, the largest categories, cities and districts to search in, the public ' +
    'documents and the machine-readable endpoints.',
  input: z.strictObject({}),
  output: overviewSchema,
  charged: false,
  async run(_, { live }) {
    const { info } = live;
    const { counts, updatedAt } = await live.catalog.state();
    const overview = overviewSchema.parse({
      service: info.name,
      counts,
      default_city: info.defaultCity,
      ...(await live.catalog.directory(updatedAt)),
      documents: listedDocuments(info),
      endpoints: endpoints(info),
      limits: info.limits,
      usage_policy: USAGE,
      catalog_updated_at: updatedAt,
    });
    return {
      structuredContent: overview,
      content: [{ type: 'text', text: overviewText(overview) }],
      records: 0,
    };
  },
});

/** Writes the overview as markdown. */
export function overviewText(overview: Overview): string {
  const { service, counts, cities, districts, categories, limits } = overview;
  const named = <T extends { name: string }>(all: T[], words: (one: T) => string) =>
    all.map((one) => `${escapeMarkdown(one.name)} (${words(one)})`).join(', ') || 'none';
  const stores = ({ stores: count }: { stores: number }) => `${count} ${plural(count, 'store')}`;
  const of = (shown: number, all: number) => (shown < all ? ` (${shown} of ${all})` : '');
  return paragraphs([
    `${escapeMarkdown(service)}: ${counts.products} products, ${counts.products_in_stock} of them in stock, and ` +
      `${counts.offers} current offers of ${counts.merchants} merchants with ${counts.stores} stores. ` +
      `Default city: ${escapeMarkdown(overview.default_city)}.` +
      (overview.catalog_updated_at === null ? '' : ` Last change: ${overview.catalog_updated_at}.`),
    `Cities${of(cities.length, counts.cities)}: ${named(cities, stores)}`,
    `Districts${of(districts.length, counts.districts)}: ${named(districts, (one) => `${escapeMarkdown(one.city)}, ${stores(one)}`)}`,
    `Categories${of(categories.length, counts.categories)}: ${named(categories, ({ id, products }) => `id ${id}, ${products} ${plural(products, 'product')}`)}`,
    `Limits:\n\n${list(Object.entries(limits).map(([name, value]) => `${name.replaceAll('_', ' ')}: ${value}`))}`,
    `Documents:\n\n${list(overview.documents.map(({ name, url, description }) => `[${escapeMarkdown(name)}](${url}): ${description}`))}`,
    `Endpoints:\n\n${list(overview.endpoints.map(({ method, url, description }) => `${method} ${url}: ${description}`))}`,
    usageText(service),
  ]);
}

function plural(count: number, noun: string): string {
  return count === 1 ? noun : `${noun}s`;
}
