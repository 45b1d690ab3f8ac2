import { z } from 'zod';
import { escapeMarkdown } from '../../domain/escape.ts';
import { overviewSchema } from '../../domain/records.ts';
import { documents, endpoints } from '../../domain/surface.ts';
import { USAGE } from '../../domain/usage.ts';
import { defineTool } from './tool.ts';

/** catalog_overview: live counts, public documents and machine-readable endpoints. */
export const catalogOverview = defineTool({
  name: 'catalog_overview',
  title: 'Catalog overview',
  description:
    'Returns live catalog counts, the public documents and the machine-readable endpoints.',
  input: z.strictObject({}),
  output: overviewSchema,
  charged: false,
  async run(_, { live }) {
    const { info } = live;
    const { counts, updatedAt } = await live.catalog.state();
    const lines = documents(info).map(({ name, url, description }) => {
      return `- [${escapeMarkdown(name)}](${url}): ${description}`;
    });
    const markdown = [
      `${info.name}: ${counts.products} products and ${counts.offers} offers of ` +
        `${counts.merchants} merchants with ${counts.stores} stores in ${counts.cities} cities ` +
        `(default city ${info.defaultCity}).`,
      lines.join('\n'),
    ].join('\n\n');
    return {
      structuredContent: {
        service: info.name,
        counts,
        default_city: info.defaultCity,
        documents: documents(info),
        endpoints: endpoints(info),
        limits: info.limits,
        usage_policy: USAGE,
        catalog_updated_at: updatedAt,
      },
      content: [{ type: 'text', text: markdown }],
      records: 0,
    };
  },
});
