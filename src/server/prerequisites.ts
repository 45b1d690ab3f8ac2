import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config } from '../config.ts';
import { assertFree } from './listen.ts';

/** Checks early what would otherwise fail only after the work: that ports are free and the folder is writable. */
export async function checkPrerequisites(config: Config): Promise<void> {
  checkDataDir(config.dataDir);
  await assertFree(config);
  if (config.opsPort !== null) {
    await assertFree({ host: config.opsHost, port: config.opsPort, prefix: 'OPS_' });
  }
}

/** Throws if a folder, or the parent it would be created in, is not writable. */
export function checkDataDir(folder: string): void {
  let there = folder;
  while (!existsSync(there)) there = dirname(there);
  try {
    // `/.` refuses a plain file; creating files in a folder takes X_OK as well.
    accessSync(`${there}/.`, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      `${there} (DATA_DIR) cannot be written by this user (${code}): set DATA_DIR to a folder that can`,
    );
  }
}
