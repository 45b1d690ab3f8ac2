import { createApp } from 'astro/app/entrypoint';

/** Astro's application for the publisher: a request and its `locals` in, a page out. */
export const app = createApp({ streaming: false });

/** The Markdown twins of pages, exported directly: rendering them through Astro costs more than making them. */
export { offerMarkdown, productMarkdown } from './components/page-markdown.ts';
