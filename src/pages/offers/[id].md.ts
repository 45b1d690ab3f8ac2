import type { APIRoute } from 'astro';
import { offerMarkdown } from '../../components/page-markdown.ts';
import { parseOfferId } from '../../domain/ids.ts';
import { document } from '../../http/documents.ts';

export const GET: APIRoute = async ({ locals, params }) => {
  const id = parseOfferId(params.id ?? '');
  const page = id === null ? null : await locals.site.offer(id);
  if (page === null) return new Response(null, { status: 404 });
  return document(offerMarkdown(page, locals.site), 'text/markdown');
};
