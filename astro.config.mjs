import node from '@astrojs/node';
import { defineConfig, passthroughImageService } from 'astro/config';
import { LIST_ROOTS } from './src/domain/lists.ts';

/**
 * @astrojs/node with an entry of our own, which also exports Astro's `app`: the publisher prerenders
 * the catalog's pages with it, without vite, and our server hands it what is not dispatched natively.
 */
function nodeWithApp() {
  const adapter = node({ mode: 'middleware' });
  const configDone = adapter.hooks['astro:config:done'];
  adapter.hooks['astro:config:done'] = (params) =>
    configDone({
      ...params,
      setAdapter: (made) =>
        params.setAdapter({
          ...made,
          serverEntrypoint: new URL('./src/entry.ts', import.meta.url),
        }),
    });
  return adapter;
}

/**
 * Leaves the indexed lexicon beside the built pages. A process that finds none and may not write there, as
 * in the container, would index it for itself, which takes seconds and keeps some 400 MB.
 */
const packedLexicon = {
  name: 'packed-lexicon',
  hooks: {
    'astro:build:done': async () => {
      const { loadLexicon } = await import('./src/understand/lexicon/lexicon.ts');
      loadLexicon();
    },
  },
};

/** One page serves all lists, wherever they begin. */
const listRoutes = {
  name: 'list-routes',
  hooks: {
    'astro:config:setup': ({ injectRoute }) => {
      for (const root of LIST_ROOTS) {
        injectRoute({ pattern: `${root}/[...page]`, entrypoint: './src/pages/_list.astro' });
      }
    },
  },
};

export default defineConfig({
  output: 'server',
  adapter: nodeWithApp(),
  integrations: [packedLexicon, listRoutes],
  trailingSlash: 'never',
  compressHTML: true,
  devToolbar: { enabled: false },
  build: { inlineStylesheets: 'always' },
  image: { service: passthroughImageService() },
  // Origins are anybody's: the surface is read-only and without credentials.
  security: { checkOrigin: false },
  session: false,
});
