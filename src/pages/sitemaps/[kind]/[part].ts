import type { APIRoute } from 'astro';
import { sitemapPart } from '../../../documents/sitemap.ts';
import { document } from '../../../http/documents.ts';

export const GET: APIRoute = async ({ locals, params }) => {
  const { kind, part = '' } = params;
  if (kind !== 'lists' && kind !== 'offers' && kind !== 'products')
    return new Response(null, { status: 404 });
  const entries = /^[1-9]\d{0,5}$/.test(part)
    ? await locals.site.sitemap(kind, Number(part))
    : null;
  if (entries === null) return new Response(null, { status: 404 });
  return document(sitemapPart(entries, locals.site.links), 'application/xml');
};
