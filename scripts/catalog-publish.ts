import { removeSetAside } from '../src/publish/prune.ts';
import { withDatabase } from '../src/server/database.ts';
import { keepHeapSmall } from '../src/server/heap.ts';
import { checkDataDir } from '../src/server/prerequisites.ts';
import { foreignOwner, publishCatalog, releasesFolder } from '../src/server/publishing.ts';
import { progress, readArguments, run } from './command.ts';

const HELP = `
Usage: npm run catalog:publish [-- [--compare | --full] [--force]]

Renders the pages touched by catalog changes and switches to the new release, once. Does nothing if nothing
changed. While another process publishes, it waits, then does what is left.
  --compare  compare every page, to find changes that were not recorded; the jobs do this once a day
  --full     render every page, changed or not
  --force    publish even if more than half of the pages would be withdrawn without an import that removed
             their records`;

const flag = { type: 'boolean' } as const;
const { values } = readArguments(HELP, { compare: flag, full: flag, force: flag });
keepHeapSmall();
await run(async (config) => {
  const { compare, full, force = false } = values;
  const scope = full ? 'render' : compare ? 'compare' : 'touched';
  const onProgress = progress('Publishing');
  const onWait = () => process.stderr.write('waiting for another process that is publishing\n');
  checkDataDir(config.dataDir);
  const root = releasesFolder(config);
  const owner = foreignOwner(root);
  if (owner !== null) {
    process.stderr.write(
      `${root} belongs to user ${owner}, who cannot prune releases made by this user: ` +
        `run the command as that user, for example with sudo -u '#${owner}'\n`,
    );
  }
  const result = await withDatabase(config, (sql) =>
    publishCatalog(sql, config, { scope, force, onProgress, onWait }),
  ).finally(async () => {
    const left = await removeSetAside(root);
    if (left.length === 0) return;
    process.stderr.write(`could not remove ${left.join(', ')}: made by another user\n`);
  });
  if (result === null) {
    console.log('Nothing changed since the current release');
    return;
  }
  const { id, pages, rendered, unchanged, withdrawn } = result;
  console.log(
    `Published ${id}: ${pages} pages; ${rendered} rendered, ${unchanged} unchanged, ${withdrawn} withdrawn`,
  );
});
process.exit(0);
