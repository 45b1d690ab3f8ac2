import { resolve } from 'node:path';
import { openAnalyser } from '../src/feed/analyser.ts';
import { FeedError, importFeed } from '../src/feed/import.ts';
import { FeedLossError } from '../src/feed/loss.ts';
import { feedFileLines } from '../src/feed/read.ts';
import { withDatabase } from '../src/server/database.ts';
import { fail, progress, readArguments, run } from './command.ts';

const HELP = `
Usage: npm run catalog:import -- FILE [--replace] [--skip-invalid] [--force]

Loads a catalog feed (UTF-8 NDJSON, one record a line), all or nothing. The running jobs publish it.
  --replace       remove what the feed lacks; when that is more than half of the products or of the
                  offers, nothing is applied
  --skip-invalid  apply the good lines and list the others; with --replace a record whose line is bad keeps
                  its previous version, and beside a line that does not tell its kind and id nothing
                  is removed
  --force         let --replace remove more than half, and remove beside such lines`;

const { values, positionals } = readArguments(
  HELP,
  {
    replace: { type: 'boolean' },
    'skip-invalid': { type: 'boolean' },
    force: { type: 'boolean' },
  },
  1,
);
const file = resolve(process.env.INIT_CWD ?? '.', positionals[0] ?? '');
await run(async (config) => {
  const writing = progress('Importing');
  const indexing = progress('Indexing');
  try {
    const result = await withDatabase(config, (sql) =>
      importFeed(sql, feedFileLines(file), {
        replace: values.replace === true,
        skipInvalid: values['skip-invalid'] === true,
        force: values.force === true,
        analyser: openAnalyser(),
        onProgress: (step, done, total) => (step === 'indexing' ? indexing : writing)(done, total),
      }),
    );
    for (const { line, field, reason, about } of result.skipped) {
      const unknown = values.replace && about === undefined;
      const note = unknown ? '; tells no kind and id, so it keeps no record' : '';
      process.stderr.write(`skipped ${file}:${line}: ${field} ${reason}${note}\n`);
    }
    if (result.withheld) {
      process.stderr.write(
        'nothing was removed: lines that tell no kind and id may be about any record. ' +
          'To remove what the other lines lack, import the file again with --force\n',
      );
    }
    const written = Object.entries(result.written).map(([kind, count]) => `${count} ${kind}`);
    console.log(
      `Imported ${written.join(', ')}; ${result.removed} removed, ${result.skipped.length} skipped`,
    );
  } catch (error) {
    if (error instanceof FeedLossError) fail(`${file} ${error.message}`);
    if (!(error instanceof FeedError)) throw error;
    const [fault] = error.faults;
    fail(`${file}:${fault?.line}: ${fault?.field} ${fault?.reason}; nothing was imported`);
  }
});
