import type { APIRoute } from 'astro';
import { openApi } from '../documents/openapi.ts';
import { document } from '../http/documents.ts';

// Compact, for programs; people have YAML and /docs.
export const GET: APIRoute = ({ locals }) =>
  document(JSON.stringify(openApi(locals.site.info, locals.site.links)), 'application/json');
