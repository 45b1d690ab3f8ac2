import type { APIRoute } from 'astro';
import { offersFeed } from '../documents/atom.ts';
import { document } from '../http/documents.ts';

export const GET: APIRoute = ({ locals }) =>
  document(offersFeed(locals.site), 'application/atom+xml');
