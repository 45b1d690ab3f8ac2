import type { APIRoute } from 'astro';
import { securityText } from '../../documents/manifest.ts';
import { document } from '../../http/documents.ts';

export const GET: APIRoute = ({ locals }) => document(securityText(locals.site), 'text/plain');
