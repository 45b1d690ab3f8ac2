import { readConfig } from './config.ts';
import { openCatalog } from './data/catalog/export.ts';
import { openDatabase } from './data/connection/client.ts';
import { llmsText } from './documents/llms.ts';
import { toolGuides } from './live/mcp/discovery.ts';
import { openLog } from './log.ts';
import { readListPage } from './publish/lists.ts';
import { openSite, type Site } from './publish/site.ts';
import { planSitemaps } from './publish/sitemaps.ts';
import { loadSampleIfEmpty, migrateAndIndex, openConfiguredDatabase } from './server/database.ts';
import { serviceInfo, serviceLinks } from './service/info.ts';
import { openService } from './service/service.ts';

const SITE_SECONDS = 5;

/** Opens what pages and endpoints need under `astro dev`: the database and an export at most 5 s old. */
export const devLocals = memoize(async () => {
  const config = readConfig({
    ...process.env,
    BASE_URL: process.env.BASE_URL ?? 'http://localhost:4321',
  });
  const log = openLog(config.logLevel);
  const database = await openConfiguredDatabase(config);
  const sql = openDatabase(database.url, { max: 4 });
  await migrateAndIndex(sql);
  if (database.embedded) await loadSampleIfEmpty(sql, config.baseUrl, (step) => log.info(step));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => database.stop().finally(() => process.exit(0)));
  }
  const settings = { info: serviceInfo(config), links: serviceLinks(config) };
  const readSite = async (): Promise<Site> => {
    const catalog = await openCatalog(sql);
    const { info, links } = settings;
    const { productPages } = info;
    const planned = await planSitemaps(catalog, { links, productPages }, null, null);
    return openSite(catalog, settings, {
      sitemaps: { ...planned.sitemaps, lists: [null] },
      // Without a release there are no modification times of lists.
      sitemap: async (kind, part) => (kind === 'lists' ? [] : planned.sitemap(kind, part)),
      list: (path) => readListPage(catalog, path),
    });
  };
  let site = await readSite();
  let readAt = Date.now();
  const { live } = await openService(config, database.url, log, {
    showcase: () => site.showcase,
    text: async (path) => (path === '/llms.txt' ? llmsText(site, toolGuides()) : null),
  });
  return async () => {
    if (Date.now() - readAt > SITE_SECONDS * 1000) {
      site = await readSite();
      readAt = Date.now();
    }
    return { site, live };
  };
});

function memoize<T>(open: () => Promise<() => Promise<T>>): () => Promise<T> {
  let opened: Promise<() => Promise<T>> | undefined;
  return async () => {
    opened ??= open();
    return (await opened)();
  };
}
