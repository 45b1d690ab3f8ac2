import { createApp } from 'astro/app/entrypoint';

/** Astro's application as the publisher uses it: a request and its `locals` in, a page out. */
export const app = createApp({ streaming: false });
