import { liveRoute } from '../../../../../../live/astro-route.ts';
import { productStatsHandler } from '../../../../../../live/stats.ts';

export const ALL = liveRoute(productStatsHandler);
