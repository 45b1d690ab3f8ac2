import { escapeXml } from '../domain/escape.ts';
import type { Links } from '../domain/links.ts';
import type { Site, SitemapEntry, SitemapKind } from '../publish/site.ts';

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';
const IMAGES = 'http://www.google.com/schemas/sitemap-image/1.1';
/** Longer ones, such as inlined pictures, would make parts larger than all their URLs. */
const PICTURE_ADDRESS_LENGTH = 500;

/** Renders /sitemap.xml, the index of the parts. */
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

/** Renders one part of the sitemap. The schema requires at least one URL: without entries, the home page. */
export function sitemapPart(entries: SitemapEntry[], links: Links): string {
  const urls = entries.map(({ url, lastModified, picture }) =>
    element('url', url, lastModified, pictureElement(picture)),
  );
  return xml('urlset', urls.length > 0 ? urls : [element('url', links.to('/'), null)]);
}

function pictureElement(picture: string | null): string {
  return picture !== null &&
    picture.length <= PICTURE_ADDRESS_LENGTH &&
    /^https?:\/\//i.test(picture)
    ? `<image:image><image:loc>${escapeXml(picture)}</image:loc></image:image>`
    : '';
}

function element(name: string, url: string, lastModified: string | null, more = ''): string {
  const lastmod = lastModified === null ? '' : `<lastmod>${lastModified}</lastmod>`;
  return `<${name}><loc>${escapeXml(url)}</loc>${lastmod}${more}</${name}>`;
}

function xml(root: 'sitemapindex' | 'urlset', children: string[]): string {
  const images = root === 'urlset' ? ` xmlns:image="${IMAGES}"` : '';
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<${root} xmlns="${NAMESPACE}"${images}>`,
    ...children,
    `</${root}>`,
    '',
  ].join('\n');
}
