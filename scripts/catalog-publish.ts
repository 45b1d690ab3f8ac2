import { withDatabase } from '../src/server/database.ts';
import { publishCatalog } from '../src/server/publishing.ts';
import { progress, readArguments, run } from './command.ts';

const HELP = `
Usage: npm run catalog:publish [-- --full]

Exports the catalog, renders the changed pages and switches to the new release, once.
  --full  render every page, changed or not`;

const { values } = readArguments(HELP, { full: { type: 'boolean' } });
await run(async (config) => {
  const { id, pages, rendered, linked } = await withDatabase(config, (sql) =>
    publishCatalog(sql, config, { full: values.full === true, onProgress: progress('Publishing') }),
  );
  console.log(`Published ${id}: ${pages} pages; ${rendered} files rendered, ${linked} unchanged`);
});
process.exit(0);
