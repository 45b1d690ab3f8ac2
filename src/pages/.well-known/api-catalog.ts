import type { APIRoute } from 'astro';
import { apiCatalog } from '../../documents/manifest.ts';
import { jsonDocument } from '../../http/documents.ts';

export const GET: APIRoute = ({ locals }) =>
  jsonDocument(
    apiCatalog(locals.site),
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  );
