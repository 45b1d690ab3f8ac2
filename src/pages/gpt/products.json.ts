import { liveRoute } from '../../live/astro-route.ts';
import { showcaseHandler } from '../../live/showcase.ts';

export const ALL = liveRoute(showcaseHandler);
