import { currentReleaseId } from '../src/publish/release.ts';
import { syncReleases } from '../src/publish/sync.ts';
import { releasesFolder } from '../src/server/publishing.ts';
import { fail, readArguments, run, stopSignal } from './command.ts';

const HELP = `
Usage: npm run catalog:sync -- TARGET [--follow]

Copies the current release of DATA_DIR to another server. TARGET is its folder of releases: a local folder
(another disk, a mount) or host:path, which needs rsync. Pages are copied first, the switch comes last; files
already there are not sent again. Run one sync per target at a time.
  --follow   keep running and copy each new release`;

const LOOK_EVERY_MS = 500;
const TRY_AGAIN_MS = 5000;

const { values, positionals } = readArguments(HELP, { follow: { type: 'boolean' } }, 1);
await run(async (config) => {
  const [target = ''] = positionals;
  const root = releasesFolder(config);
  let brought: string | null = null;
  const bring = async () => {
    brought = await syncReleases(root, target);
    if (brought !== null) console.log(`${brought} is at ${target}`);
  };
  if (!values.follow) {
    await bring();
    if (brought === null) fail(`there is no release in ${root}: run npm run catalog:publish`);
    return;
  }
  let stopped = false;
  const signal = stopSignal().then(() => {
    stopped = true;
  });
  const pause = (ms: number) => Promise.race([signal, new Promise((done) => setTimeout(done, ms))]);
  while (!stopped) {
    try {
      if (currentReleaseId(root) !== brought) await bring();
      await pause(LOOK_EVERY_MS);
    } catch (error) {
      process.stderr.write(`vitrine: ${(error as Error).message}; trying again\n`);
      await pause(TRY_AGAIN_MS);
    }
  }
});
process.exit(0);
