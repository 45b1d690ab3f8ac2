import { currentReleaseId } from '../src/publish/release.ts';
import { syncReleases } from '../src/publish/sync.ts';
import { releasesFolder } from '../src/server/publishing.ts';
import { fail, readArguments, run, stopSignal } from './command.ts';

const HELP = `
Usage: npm run catalog:sync -- TARGET [--follow]

Brings the current release of DATA_DIR to another server: TARGET is its folder of releases, as a folder of
this machine (a disk of its own, a mount) or as host:path, which takes rsync. Pages come first, the switch
last; what the target has already is not sent again. One sync a target at a time.
  --follow   stay, and bring each release that is published`;

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
    if (brought === null) fail(`nothing is published in ${root}`);
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
