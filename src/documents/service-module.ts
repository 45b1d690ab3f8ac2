import { escapeJsonForScript } from '../domain/escape.ts';
import type { Site } from '../publish/site.ts';

/** /vitrine-service.js: what the counters have to know of this service, so that they name and link it. */
export function serviceModule({ info, links }: Site): string {
  const service = {
    name: info.name,
    url: links.to('/'),
    product_url: links.templates.product,
    offer_url: links.templates.offer,
  };
  return `export const service = ${escapeJsonForScript(service)};\n`;
}
