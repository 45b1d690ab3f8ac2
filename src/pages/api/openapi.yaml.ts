import type { APIRoute } from 'astro';
import { stringify } from 'yaml';
import { openApi } from '../../documents/openapi.ts';
import { document } from '../../http/documents.ts';

export const GET: APIRoute = ({ locals }) =>
  document(
    stringify(openApi(locals.site.info, locals.site.links), { aliasDuplicateObjects: false }),
    'application/yaml',
  );
