import type { APIRoute } from 'astro';
import { catalogManifest } from '../documents/manifest.ts';
import { jsonDocument } from '../http/documents.ts';
import { toolSummaries } from '../live/mcp/discovery.ts';

export const GET: APIRoute = ({ locals }) =>
  jsonDocument(catalogManifest(locals.site, toolSummaries()));
