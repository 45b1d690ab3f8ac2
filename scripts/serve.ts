import { reachDatabase } from '../src/data/connection/reach.ts';
import { openLog } from '../src/log.ts';
import { openConfiguredDatabase } from '../src/server/database.ts';
import { tellStart } from '../src/server/lifetime.ts';
import { startServer } from '../src/server/serve.ts';
import { readArguments, run, stopSignal } from './command.ts';

const HELP = `
Usage: npm run serve

Runs the HTTP process alone: live endpoints and published pages. Without jobs, so that any number of
instances can serve one database; see npm run jobs.`;

readArguments(HELP, {});
await run(async (config) => {
  const log = openLog(config.logLevel);
  const stopped = stopSignal();
  const tellStop = tellStart(log, 'serve');
  const database = await openConfiguredDatabase(config);
  // Not fatal: the database may start later; a wrong password is logged at once.
  void reachDatabase(database.url).catch((error: Error) => log.error(error.message));
  try {
    const server = await startServer(config, database.url, log);
    console.log(`Vitrine is ready at ${server.url}`);
    const signal = await stopped;
    await server.close();
    tellStop(signal);
  } finally {
    await database.stop();
  }
});
process.exit(0);
