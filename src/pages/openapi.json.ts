import type { APIRoute } from 'astro';
import { openApi } from '../documents/openapi.ts';
import { document } from '../http/documents.ts';

// Compact: programs read it. People have the same as YAML, and /docs.
export const GET: APIRoute = ({ locals }) =>
  document(JSON.stringify(openApi(locals.site.info, locals.site.links)), 'application/json');
