import { defineMiddleware } from 'astro:middleware';

/** Under `astro dev` nobody hands in what the pages need: it is opened here, once. */
export const onRequest = defineMiddleware(async ({ locals }, next) => {
  if (import.meta.env.DEV) {
    const { devLocals } = await import('./dev.ts');
    Object.assign(locals, await devLocals());
  }
  return next();
});
