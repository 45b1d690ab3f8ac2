import { CONTENT_SIGNAL } from '../domain/usage.ts';
import type { Site } from '../publish/site.ts';

/**
 * Crawlers that collect training data, by their published names. Not listed: those that search or fetch for a user
 * (OAI-SearchBot, ChatGPT-User, Claude-SearchBot, Claude-User, PerplexityBot, Googlebot).
 */
const TRAINERS = [
  'AI2Bot',
  'Amazonbot',
  'Applebot-Extended',
  'Bytespider',
  'CCBot',
  'ClaudeBot',
  'cohere-training-data-crawler',
  'Diffbot',
  'FacebookBot',
  'Google-Extended',
  'GPTBot',
  'meta-externalagent',
  'omgili',
  'PanguBot',
];

/**
 * Renders /robots.txt (RFC 9309, the longest match wins). Pages and documents may be crawled, the API description and
 * the discovery document of /mcp included; statistics and searches, which have quotas, may not. The use rules allow
 * search and answers but no training: stated by content signal (contentsignals.org) and by crawler name.
 */
export function robotsText(site: Pick<Site, 'links'>): string {
  return [
    'User-agent: *',
    `Content-Signal: ${CONTENT_SIGNAL}`,
    'Allow: /',
    'Disallow: /api/',
    'Allow: /api/openapi.yaml',
    'Disallow: /buscar',
    '',
    ...TRAINERS.map((name) => `User-agent: ${name}`),
    'Disallow: /',
    '',
    `Sitemap: ${site.links.to('/sitemap.xml')}`,
    '',
  ].join('\n');
}
