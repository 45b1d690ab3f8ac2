import { feedLines } from '../src/feed/read.ts';
import { importViews, ViewsError } from '../src/feed/views.ts';
import { withDatabase } from '../src/server/database.ts';
import { fail, openInput, readArguments, run } from './command.ts';

const HELP = `
Usage: npm run stats:import -- FILE

Loads view events as NDJSON, one per line, in the form of record_views:
  {"kind":"product","id":1001,"source":"user","at":"2026-11-20T10:15:00Z"}
FILE may be gzipped; - is standard input.
Events are recorded in batches of 5,000, each all or nothing. Importing the same file again is idempotent, also
after an interruption: batches are identified by the file's content and their position in it.`;

const { positionals } = readArguments(HELP, {}, 1);
await run(async (config) => {
  const { name, stream } = await openInput(positionals[0] ?? '');
  try {
    const { views, batches } = await withDatabase(config, (sql) =>
      importViews(sql, feedLines(stream), (done) => {
        process.stderr.write(`${done} events read\n`);
      }),
    );
    console.log(`Recorded ${views} views in ${batches} batches`);
  } catch (error) {
    if (!(error instanceof ViewsError)) throw error;
    fail(`${name}:${error.line}: ${error.message}; batches before it are recorded, its own is not`);
  }
});
