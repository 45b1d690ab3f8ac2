import type { APIRoute } from 'astro';
import { robotsText } from '../documents/robots.ts';
import { document } from '../http/documents.ts';

export const GET: APIRoute = ({ locals }) => document(robotsText(locals.site), 'text/plain');
