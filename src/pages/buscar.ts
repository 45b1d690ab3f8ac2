import { liveRoute } from '../live/astro-route.ts';
import { searchFaultPage, searchPageHandler } from '../live/search-page/page.ts';

export const ALL = liveRoute(searchPageHandler, searchFaultPage);
