import { liveRoute } from '../live/astro-route.ts';
import { mcpHandler } from '../live/mcp/endpoint.ts';

export const ALL = liveRoute(mcpHandler);
