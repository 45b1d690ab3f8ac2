import type { APIRoute } from 'astro';
import { openApi } from '../documents/openapi.ts';
import { jsonDocument } from '../http/documents.ts';

export const GET: APIRoute = ({ locals }) =>
  jsonDocument(openApi(locals.site.info, locals.site.links));
