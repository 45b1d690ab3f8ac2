import { removeSetAside } from '../src/publish/prune.ts';
import { withDatabase } from '../src/server/database.ts';
import { keepHeapSmall } from '../src/server/heap.ts';
import { checkDataDir } from '../src/server/prerequisites.ts';
import { foreignOwner, publishCatalog, releasesFolder } from '../src/server/publishing.ts';
import { progress, readArguments, run } from './command.ts';

const HELP = `
Usage: npm run catalog:publish [-- [--compare | --full] [--force]]

Renders the pages that changes of the catalog touched and switches to the new release, once. It does
nothing when nothing changed. While another process publishes it waits, and then does what is left.
  --compare  look at every page for what changed without being noted; the jobs do it once a day
  --full     render every page, changed or not
  --force    publish even when more than half of the pages would go although no import removed their
             records`;

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
      `${root} belongs to user ${owner}, who cannot prune what this one makes: ` +
        `run it as that user, say by sudo -u '#${owner}'\n`,
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
