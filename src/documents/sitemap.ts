import { escapeXml } from '../domain/escape.ts';
import type { Links } from '../domain/links.ts';
import type { Site, SitemapEntry, SitemapKind } from '../publish/site.ts';

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

/** /sitemap.xml: the index of the sitemap's parts. */
export function sitemapIndex(site: Site): string {
  const kinds: SitemapKind[] = [
    'lists',
    'offers',
    ...(site.info.productPages ? (['products'] as const) : []),
  ];
  const parts = kinds.flatMap((kind) =>
    site.sitemaps[kind].map((changed, index) =>
      element('sitemap', site.links.to(`/sitemaps/${kind}/${index + 1}`), changed),
    ),
  );
  return xml('sitemapindex', parts);
}

/** One part of the sitemap. The schema wants an address at least: without any, it is the home page's. */
export function sitemapPart(entries: SitemapEntry[], links: Links): string {
  const urls = entries.map(({ url, lastModified }) => element('url', url, lastModified));
  return xml('urlset', urls.length > 0 ? urls : [element('url', links.to('/'), null)]);
}

function element(name: string, url: string, lastModified: string | null): string {
  const lastmod = lastModified === null ? '' : `<lastmod>${lastModified}</lastmod>`;
  return `<${name}><loc>${escapeXml(url)}</loc>${lastmod}</${name}>`;
}

function xml(root: string, children: string[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<${root} xmlns="${NAMESPACE}">`,
    ...children,
    `</${root}>`,
    '',
  ].join('\n');
}
