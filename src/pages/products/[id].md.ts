import type { APIRoute } from 'astro';
import { productMarkdown } from '../../components/page-markdown.ts';
import { parsePositiveId } from '../../domain/ids.ts';
import { document } from '../../http/documents.ts';

export const GET: APIRoute = async ({ locals, params }) => {
  const id = parsePositiveId(params.id ?? '');
  const page = id === null ? null : await locals.site.product(id);
  if (page === null) return new Response(null, { status: 404 });
  return document(productMarkdown(page, locals.site), 'text/markdown');
};
