import type { APIRoute } from 'astro';
import { sitemapIndex } from '../documents/sitemap.ts';
import { document } from '../http/documents.ts';

export const GET: APIRoute = ({ locals }) => document(sitemapIndex(locals.site), 'application/xml');
