import type { FeedKind } from '../src/domain/catalog.ts';
import { openAnalyser } from '../src/feed/analyser.ts';
import { FeedError, type ImportResult, importFeed } from '../src/feed/import.ts';
import { FeedLossError } from '../src/feed/loss.ts';
import { feedLines } from '../src/feed/read.ts';
import { withDatabase } from '../src/server/database.ts';
import { noteFeed } from '../src/server/feed-refusal.ts';
import { keepHeapSmall } from '../src/server/heap.ts';
import { fail, openInput, progress, readArguments, run } from './command.ts';

const HELP = `
Usage: npm run catalog:import -- FILE [--replace] [--skip-invalid] [--dry-run] [--force]

Loads a catalog feed (UTF-8 NDJSON, one record per line), all or nothing. The running jobs publish it.
FILE may be gzipped; - is standard input.
  --replace       remove records missing from the feed; if that is more than half of the products or of the
                  offers, nothing is applied
  --skip-invalid  apply the valid lines, list the others and exit with 3; with --replace, the record of an
                  invalid line keeps its previous version, and a line without a readable kind and id prevents
                  all removals
  --dry-run       show what would change, and change nothing
  --force         let --replace remove more than half, and remove despite lines without kind and id`;

/** Exit code if lines were skipped. */
const EXIT_SKIPPED = 3;

const PLURALS: Record<FeedKind, string> = {
  category: 'categories',
  merchant: 'merchants',
  store: 'stores',
  product: 'products',
  offer: 'offers',
};

const { values, positionals } = readArguments(
  HELP,
  {
    replace: { type: 'boolean' },
    'skip-invalid': { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    force: { type: 'boolean' },
  },
  1,
);
keepHeapSmall();
let file = '';
await run(async (config) => {
  // Before starting a database.
  const input = await openInput(positionals[0] ?? '');
  file = input.name;
  const writing = progress('Importing');
  const indexing = progress('Indexing');
  try {
    const result = await withDatabase(config, (sql) =>
      importFeed(sql, feedLines(input.stream), {
        replace: values.replace === true,
        skipInvalid: values['skip-invalid'] === true,
        dryRun: values['dry-run'] === true,
        force: values.force === true,
        analyser: openAnalyser(),
        onProgress: (step, done, total) => (step === 'indexing' ? indexing : writing)(done, total),
      }),
    );
    if (values['dry-run'] !== true) noteFeed(config.dataDir, null);
    tellSkipped(result);
    tellForeignPrices(result);
    tellEffect(result);
    if (result.skipped.length > 0) process.exitCode = EXIT_SKIPPED;
  } catch (error) {
    const refusal = describeRefusal(error);
    if (refusal === null) throw error;
    if (values['dry-run'] !== true) noteFeed(config.dataDir, refusal);
    fail(refusal);
  }
});

function describeRefusal(error: unknown): string | null {
  if (error instanceof FeedLossError) return `${file} ${error.message}`;
  if (!(error instanceof FeedError)) return null;
  const [fault] = error.faults;
  return `${file}:${fault?.line}: ${fault?.field} ${fault?.reason}; nothing was imported`;
}

function tellSkipped({ skipped, withheld }: ImportResult): void {
  for (const { line, field, reason, about } of skipped) {
    const unknown = values.replace && about === undefined;
    const note = unknown ? '; tells no kind and id, so it keeps no record' : '';
    process.stderr.write(`skipped ${file}:${line}: ${field} ${reason}${note}\n`);
  }
  if (withheld) {
    process.stderr.write(
      'nothing was removed: lines that tell no kind and id may be about any record. ' +
        'To remove what the other lines lack, import the file again with --force\n',
    );
  }
}

function tellForeignPrices({ foreignPrices: count }: ImportResult): void {
  if (count === 0) return;
  process.stderr.write(
    `${count} record${count === 1 ? ' has a price that is' : 's have prices that are'} not in BRL: ` +
      'shown as in the feed, but left out of searches with min_price or max_price\n',
  );
}

function tellEffect({ written, added, changed, removed, skipped }: ImportResult): void {
  if (!values['dry-run']) {
    const kinds = Object.entries(written).map(
      ([kind, count]) => `${count} ${count === 1 ? kind : PLURALS[kind as FeedKind]}`,
    );
    console.log(
      `Imported ${kinds.join(', ')}; ${added.count} new, ${changed.count} changed, ` +
        `${removed.count} removed, ${skipped.length} skipped`,
    );
    return;
  }
  for (const [verb, { count, first }] of Object.entries({
    add: added,
    change: changed,
    remove: removed,
  })) {
    console.log(`Would ${verb} ${count} record${count === 1 ? '' : 's'}${count > 0 ? ':' : ''}`);
    for (const name of first) console.log(`  ${name}`);
    if (count > first.length) console.log(`  and ${count - first.length} more`);
  }
  console.log('Nothing was changed: this was a dry run');
}
