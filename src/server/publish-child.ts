import { readConfig } from '../config.ts';
import { openDatabase } from '../data/connection/client.ts';
import { CatalogLossError } from '../publish/loss.ts';
import type { Scope } from '../publish/planning.ts';
import { removeSetAside } from '../publish/prune.ts';
import type { PublishResult } from '../publish/publish.ts';
import { answerWith } from './child.ts';
import { keepHeapSmall } from './heap.ts';
import { publishCatalog, releasesFolder } from './publishing.ts';

/** The answer of the child to its parent. */
export type ChildAnswer =
  | { kind: 'published'; result: PublishResult | null }
  | { kind: 'refused'; message: string };

keepHeapSmall();
const config = readConfig(process.env);
const sql = openDatabase(config.databaseUrl ?? '', { max: 3, applicationName: 'vitrine-publish' });
let removal: Promise<unknown> = Promise.resolve();
answerWith(async (scope) => {
  try {
    return await publishOnce(scope === 'compare' ? 'compare' : 'touched');
  } finally {
    // Runs beside the next publish; what is left at exit is deleted after a later one.
    removal = removal.then(() => removeSetAside(releasesFolder(config)));
  }
});

async function publishOnce(scope: Scope): Promise<ChildAnswer> {
  try {
    return {
      kind: 'published',
      result: await publishCatalog(sql, config, { scope, force: false }),
    };
  } catch (error) {
    if (error instanceof CatalogLossError) return { kind: 'refused', message: error.message };
    throw error;
  }
}
