import { createApp } from 'astro/app/entrypoint';

/** Astro's application as the publisher uses it: a request and its `locals` in, a page out. */
export const app = createApp({ streaming: false });

/** The twins of pages, without the way through Astro, which costs more than making them. */
export { offerMarkdown, productMarkdown } from './components/page-markdown.ts';
