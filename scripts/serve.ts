import { reachDatabase } from '../src/data/connection/reach.ts';
import { openLog } from '../src/log.ts';
import { openConfiguredDatabase } from '../src/server/database.ts';
import { tellStart } from '../src/server/lifetime.ts';
import { startServer } from '../src/server/serve.ts';
import { readArguments, run, stopSignal } from './command.ts';

const HELP = `
Usage: npm run serve

The HTTP process alone: live endpoints and the published pages. Runs without jobs, so that any number
of instances can serve one database; see npm run jobs.`;

readArguments(HELP, {});
await run(async (config) => {
  const log = openLog(config.logLevel);
  const stopped = stopSignal();
  const tellStop = tellStart(log, 'serve');
  const database = await openConfiguredDatabase(config);
  // It may come later; a wrong password will not mend itself.
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
