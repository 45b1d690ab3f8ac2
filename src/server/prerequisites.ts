import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config } from '../config.ts';
import { assertFree } from './listen.ts';

/** Throws what would only show after the work is done: a port that is taken, a folder that cannot be written. */
export async function checkPrerequisites(config: Config): Promise<void> {
  checkDataDir(config.dataDir);
  await assertFree(config);
  if (config.opsPort !== null) {
    await assertFree({ host: config.opsHost, port: config.opsPort, prefix: 'OPS_' });
  }
}

/** Throws when a folder, or the one in which it would be made, cannot be written. */
export function checkDataDir(folder: string): void {
  let there = folder;
  while (!existsSync(there)) there = dirname(there);
  try {
    // A folder: whoever may only write a file can make nothing in it.
    accessSync(`${there}/.`, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      `${there} (DATA_DIR) cannot be written by this user (${code}): set DATA_DIR to a folder that can`,
    );
  }
}
