import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const fileOf = (dataDir: string) => join(dataDir, 'feed-refused');

/** Notes in DATA_DIR that the latest feed was refused and why, for the jobs' metrics; null: it was taken. */
export function noteFeed(dataDir: string, refusal: string | null): void {
  try {
    if (refusal === null) rmSync(fileOf(dataDir), { force: true });
    else writeFileSync(fileOf(dataDir), `${new Date().toISOString()} ${refusal}\n`);
  } catch {
    // A command on another machine may have no DATA_DIR; its exit code tells.
  }
}

/** Whether the latest feed was refused. */
export const isFeedRefused = (dataDir: string): boolean => existsSync(fileOf(dataDir));
