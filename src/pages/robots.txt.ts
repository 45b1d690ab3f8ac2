import type { APIRoute } from 'astro';
import { robotsText } from '../documents/manifest.ts';
import { document } from '../http/documents.ts';

export const GET: APIRoute = ({ locals }) => document(robotsText(locals.site), 'text/plain');
