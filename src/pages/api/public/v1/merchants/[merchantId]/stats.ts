import { liveRoute } from '../../../../../../live/astro-route.ts';
import { merchantStatsHandler } from '../../../../../../live/stats.ts';

export const ALL = liveRoute(merchantStatsHandler);
