import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { withCatalog } from '../../src/data/catalog/export.ts';
import { openDatabase } from '../../src/data/connection/client.ts';

// Prepares the data of a peer, as our publisher prepares its own: from Postgres to what it reads.
// Usage: node tests/bench/peer-data.ts (eleventy | hugo) FOLDER
const [, , peer, folder = '.'] = process.argv;
const config = readConfig(process.env);
const sql = openDatabase(config.databaseUrl ?? '', { max: 2 });
const pages = await withCatalog(sql, async ({ listPages, readPages }) => {
  const models = await Promise.all(
    (['offer', 'product'] as const).map(async (kind) => {
      const read = await readPages(kind, await listPages(kind));
      return [...read].map(([id, model]) => [`${kind}s/${id}`, model] as const);
    }),
  );
  return models.flat();
});
await sql.end();
if (peer === 'eleventy') {
  const models = pages.map(([path, model]) => `{"path":"${path}",${model?.slice(1)}`);
  writeFileSync(join(folder, 'models.json'), `[${models.join(',\n')}]`);
} else {
  for (const kind of ['offers', 'products'])
    mkdirSync(join(folder, 'content', kind), { recursive: true });
  for (const [path, model] of pages) {
    writeFileSync(join(folder, 'content', `${path}.md`), `{"path":"${path}",${model?.slice(1)}\n`);
  }
}
process.exit(0);
