import { CONTENT_SIGNAL } from '../domain/usage.ts';
import type { Site } from '../publish/site.ts';

/**
 * Crawlers that gather text to train models, by the names that their operators publish. Those that search or fetch
 * for a user (OAI-SearchBot, ChatGPT-User, Claude-SearchBot, Claude-User, PerplexityBot, Googlebot) are not here.
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
 * /robots.txt (RFC 9309, the longest match wins): pages and documents may be crawled, the API description
 * and the discovery document of /mcp among them; what is counted by quotas, statistics and searches, not.
 * As the use rules say, for searches and answers and not to train models: by content signal (contentsignals.org),
 * and by name.
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
