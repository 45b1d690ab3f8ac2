import { resolve } from 'node:path';
import { feedFileLines } from '../src/feed/read.ts';
import { importViews } from '../src/feed/views.ts';
import { withDatabase } from '../src/server/database.ts';
import { readArguments, run } from './command.ts';

const HELP = `
Usage: npm run stats:import -- FILE

Loads view events as NDJSON, one a line, as record_views takes them:
  {"kind":"product","id":1001,"source":"user","at":"2026-11-20T10:15:00Z"}
In batches of 5,000, each all or nothing. A second run of the same file, after an interruption too,
records nothing twice: batches are known by the file's content and their place in it.`;

const { positionals } = readArguments(HELP, {}, 1);
const file = resolve(process.env.INIT_CWD ?? '.', positionals[0] ?? '');
await run(async (config) => {
  const { views, batches } = await withDatabase(config, (sql) =>
    importViews(sql, feedFileLines(file), (done) => {
      process.stderr.write(`${done} events read\n`);
    }),
  );
  console.log(`Recorded ${views} views in ${batches} batches`);
});
