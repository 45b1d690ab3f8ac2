import { openDatabase } from '../src/data/connection/client.ts';
import { reachDatabase } from '../src/data/connection/reach.ts';
import { openLog } from '../src/log.ts';
import { openMetrics } from '../src/metrics.ts';
import { readCurrentManifest } from '../src/publish/release.ts';
import {
  loadSampleIfEmpty,
  migrateAndIndex,
  openConfiguredDatabase,
} from '../src/server/database.ts';
import { startJobs } from '../src/server/jobs.ts';
import { tellStart } from '../src/server/lifetime.ts';
import { checkPrerequisites } from '../src/server/prerequisites.ts';
import { releasesFolder } from '../src/server/publishing.ts';
import { startServer } from '../src/server/serve.ts';
import { progress, readArguments, run, stopSignal } from './command.ts';

const HELP = `
Usage: npm start

Starts everything: the embedded Postgres (unless DATABASE_URL is set), migrations, the sample catalog
in an empty embedded catalog, the publisher and the other jobs, and the HTTP server.
Settings come from the environment; docs/operate.md lists them.`;

readArguments(HELP, {});
const onTerminal = process.stdout.isTTY && process.stderr.isTTY;

/** Lists the URLs to open next. */
function nextSteps(base: string): string {
  return [
    '',
    `  pages      ${base}/`,
    `  agents     ${base}/mcp`,
    `  reference  ${base}/docs`,
    `  counters   ${base}/widgets`,
    '',
    'Ctrl+C stops it.',
  ].join('\n');
}

await run(async (config) => {
  // A terminal shows messages for people; JSON lines below `warn` only if LOG_LEVEL is set.
  const log = openLog(onTerminal && !process.env.LOG_LEVEL ? 'warn' : config.logLevel);
  const stopped = stopSignal();
  const tellStop = tellStart(log, 'start');
  await checkPrerequisites(config);
  const database = await openConfiguredDatabase(config, { alone: true });
  try {
    await reachDatabase(database.url);
    const sql = openDatabase(database.url, { max: 2 });
    await migrateAndIndex(sql, progress('Indexing'));
    if (database.embedded)
      await loadSampleIfEmpty(sql, config.baseUrl, (step) => console.log(`${step} …`));
    await sql.end();
    const metrics = openMetrics();
    const releases = releasesFolder(config);
    if (readCurrentManifest(releases) === null) console.log('Publishing the pages …');
    const jobs = await startJobs(config, database.url, log, metrics);
    if (readCurrentManifest(releases) === null) {
      throw new Error('the first publish failed; the log says why');
    }
    const server = await startServer(config, database.url, log, metrics);
    console.log(`Vitrine is ready at ${server.url}`);
    if (onTerminal) console.log(nextSteps(config.baseUrl));
    const signal = await stopped;
    if (onTerminal) console.log('\nStopping …');
    await server.close();
    await jobs.close();
    tellStop(signal);
  } finally {
    await database.stop();
  }
});
process.exit(0);
