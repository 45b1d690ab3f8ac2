import { escapeJsonForScript } from '../domain/escape.ts';
import type { Site } from '../publish/site.ts';

/** Renders /vitrine-service.js: name and URLs of the service, for the counters. */
export function serviceModule({ info, links }: Site): string {
  const service = {
    name: info.name,
    url: links.to('/'),
    product_url: links.templates.product,
    offer_url: links.templates.offer,
  };
  return `export const service = ${escapeJsonForScript(service)};\n`;
}
