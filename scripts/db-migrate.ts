import { openDatabase } from '../src/data/connection/client.ts';
import { reachDatabase } from '../src/data/connection/reach.ts';
import { assertMigratable } from '../src/data/migrate.ts';
import { migrateAndIndex, openConfiguredDatabase } from '../src/server/database.ts';
import { progress, readArguments, run } from './command.ts';

const HELP = `
Usage: npm run db:migrate

Applies pending migrations and rebuilds the search index if the lexicon changed. A schema newer than the program
is left unchanged, with a note on whether running this older program is safe.`;

readArguments(HELP, {});
await run(async (config) => {
  const database = await openConfiguredDatabase(config);
  await reachDatabase(database.url);
  const sql = openDatabase(database.url, { max: 2 });
  try {
    await assertMigratable(sql);
    const applied = await migrateAndIndex(sql, progress('Indexing'));
    console.log(applied.length === 0 ? 'Nothing to migrate' : `Applied ${applied.join(', ')}`);
  } finally {
    await sql.end();
    await database.stop();
  }
});
