import { reachDatabase } from '../src/data/connection/reach.ts';
import { openLog } from '../src/log.ts';
import { openMetrics } from '../src/metrics.ts';
import { openConfiguredDatabase } from '../src/server/database.ts';
import { type RunningJobs, startJobs } from '../src/server/jobs.ts';
import { tellStart } from '../src/server/lifetime.ts';
import { startOps } from '../src/server/ops.ts';
import { checkDataDir } from '../src/server/prerequisites.ts';
import { foreignOwner, releasesFolder } from '../src/server/publishing.ts';
import { readArguments, run, stopSignal } from './command.ts';

const HELP = `
Usage: npm run jobs

Runs the scheduler alone: the daily snapshot at 14:00 MSK, submitted catalog changes, publishing, the purge of
old raw events. Safe to run on several machines at once.`;

readArguments(HELP, {});
await run(async (config) => {
  const log = openLog(config.logLevel);
  const stopped = stopSignal();
  const tellStop = tellStart(log, 'jobs');
  checkDataDir(config.dataDir);
  const owner = foreignOwner(releasesFolder(config));
  if (owner !== null) log.warn({ owner }, 'the folder of releases belongs to another user');
  const database = await openConfiguredDatabase(config);
  // Not fatal: the database may start later; a wrong password is logged at once.
  void reachDatabase(database.url).catch((error: Error) => log.error(error.message));
  try {
    const metrics = openMetrics();
    // The ops port opens first: the first publish may take long, and the process is alive meanwhile.
    let jobs: RunningJobs | null = null;
    const ops = await startOps(
      config,
      metrics,
      async () => jobs?.readiness() ?? { started: false },
    );
    jobs = await startJobs(config, database.url, log, metrics);
    console.log('Vitrine jobs are running');
    const signal = await stopped;
    await jobs.close();
    await ops?.close();
    tellStop(signal);
  } finally {
    await database.stop();
  }
});
process.exit(0);
