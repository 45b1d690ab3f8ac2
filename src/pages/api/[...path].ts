import { liveRoute } from '../../live/astro-route.ts';
import { unknownApiRoute } from '../../live/routes.ts';

export const ALL = liveRoute(unknownApiRoute);
