import node from '@astrojs/node';
import { defineConfig, passthroughImageService } from 'astro/config';

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

export default defineConfig({
  output: 'server',
  adapter: nodeWithApp(),
  trailingSlash: 'never',
  compressHTML: true,
  devToolbar: { enabled: false },
  build: { inlineStylesheets: 'always' },
  image: { service: passthroughImageService() },
  // Origins are anybody's: the surface is read-only and without credentials.
  security: { checkOrigin: false },
  session: false,
});
