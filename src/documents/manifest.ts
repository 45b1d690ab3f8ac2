import {
  API_VERSION,
  describeService,
  endpoints,
  MCP_CAPABILITIES,
  PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '../domain/surface.ts';
import { USAGE } from '../domain/usage.ts';
import type { Site } from '../publish/site.ts';

/** A tool as listed in documents. */
export type ToolSummary = { name: string; title: string; description: string };

/** Makes /gpt.json, the catalog manifest with counts and endpoint metadata. */
export function catalogManifest(
  site: Pick<Site, 'info' | 'links' | 'counts' | 'updatedAt'>,
  tools: ToolSummary[],
) {
  const { info, links } = site;
  return {
    name: info.name,
    description: describeService(info),
    version: API_VERSION,
    base_url: info.baseUrl,
    updated_at: site.updatedAt,
    locale: 'pt-BR',
    default_city: info.defaultCity,
    counts: site.counts,
    endpoints: endpoints(info),
    mcp: { url: links.to('/mcp'), protocol_version: PROTOCOL_VERSION, tools },
    limits: info.limits,
    usage_policy: USAGE,
  };
}

/** Makes /.well-known/mcp/server-card.json, the card of the catalog server. */
export function serverCard(site: Pick<Site, 'info' | 'links'>, tools: ToolSummary[]) {
  const { info, links } = site;
  return {
    name: 'vitrine',
    title: info.name,
    version: API_VERSION,
    description: describeService(info),
    websiteUrl: links.to('/'),
    protocolVersion: PROTOCOL_VERSION,
    supportedProtocolVersions: SUPPORTED_PROTOCOL_VERSIONS,
    remotes: [{ type: 'streamable-http', url: links.to('/mcp') }],
    authentication: { required: false },
    capabilities: MCP_CAPABILITIES,
    tools,
  };
}

/** Makes /.well-known/api-catalog, a linkset of the public APIs (RFC 9727). */
export function apiCatalog(site: Pick<Site, 'links'>) {
  const { links } = site;
  return {
    linkset: [
      {
        anchor: links.to('/api/public/v1/'),
        'service-desc': [
          { href: links.to('/openapi.json'), type: 'application/json' },
          { href: links.to('/api/openapi.yaml'), type: 'application/yaml' },
        ],
        'service-doc': [
          { href: links.to('/docs'), type: 'text/html' },
          { href: links.to('/llms.txt'), type: 'text/plain' },
        ],
        'service-meta': [{ href: links.to('/gpt.json'), type: 'application/json' }],
      },
      {
        anchor: links.to('/mcp'),
        'service-desc': [
          { href: links.to('/.well-known/mcp/server-card.json'), type: 'application/json' },
        ],
        'service-doc': [{ href: links.to('/llms.txt'), type: 'text/plain' }],
      },
    ],
  };
}

/** Renders /.well-known/security.txt (RFC 9116), which expires a year after the catalog's last change. */
export function securityText(site: Site): string {
  const { host } = new URL(site.info.baseUrl);
  const from = Date.parse(site.updatedAt ?? new Date().toISOString());
  const expires = new Date(from + 365 * 24 * 3_600_000).toISOString();
  return [
    `Contact: mailto:security@${host.replace(/:\d+$/, '')}`,
    `Expires: ${expires}`,
    'Preferred-Languages: pt, en',
    `Canonical: ${site.links.to('/.well-known/security.txt')}`,
    '',
  ].join('\n');
}
