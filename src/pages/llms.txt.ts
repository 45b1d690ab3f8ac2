import type { APIRoute } from 'astro';
import { llmsText } from '../documents/llms.ts';
import { document } from '../http/documents.ts';
import { toolGuides } from '../live/mcp/discovery.ts';

export const GET: APIRoute = ({ locals }) =>
  document(llmsText(locals.site, toolGuides()), 'text/plain');
