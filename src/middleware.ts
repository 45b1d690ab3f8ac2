import { defineMiddleware } from 'astro:middleware';

/** Supplies the locals under `astro dev`; in production the publisher passes them in. */
export const onRequest = defineMiddleware(async ({ locals }, next) => {
  if (import.meta.env.DEV) {
    const { devLocals } = await import('./dev.ts');
    Object.assign(locals, await devLocals());
  }
  return next();
});
