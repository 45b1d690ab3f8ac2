import { liveRoute } from '../live/astro-route.ts';
import { searchPageHandler } from '../live/search-page/page.ts';

export const ALL = liveRoute(searchPageHandler);
