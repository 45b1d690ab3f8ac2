import type { APIRoute } from 'astro';
import { serviceModule } from '../documents/service-module.ts';
import { document } from '../http/documents.ts';

export const GET: APIRoute = ({ locals }) =>
  document(serviceModule(locals.site), 'text/javascript');
