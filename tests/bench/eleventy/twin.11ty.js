// The markdown twin of a page for Eleventy, by the same functions as ours.
import { offerMarkdown, productMarkdown } from '../vitrine/components/page-markdown.ts';
import { site } from './site.js';

export const data = {
  pagination: { data: 'pages', size: 1, alias: 'page_model', addAllPagesToCollections: false },
  permalink: (all) => `/${all.page_model.path}.md`,
  eleventyExcludeFromCollections: true,
};

export const render = ({ page_model: page }) =>
  page.offer ? offerMarkdown(page, site) : productMarkdown(page, site);
