import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

const LOOK_AGAIN_MS = 50;

/** Runs work while no other living process does so under the same file, which names the one that does. */
export async function withProcessLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  while (!take(file)) await setTimeout(LOOK_AGAIN_MS);
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

/** True when this process has the lock now; one that a process has left behind by dying is cleared. */
function take(file: string): boolean {
  const own = `${file}.${process.pid}`;
  // Linked, so that the file never lacks its pid.
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(own, { force: true });
  }
  if (isAlive(readPid(file))) return false;
  // Of several that clear it one renames the file; another that comes late may get a new lock, and gives it back.
  const left = `${own}.left`;
  try {
    renameSync(file, left);
    if (isAlive(readPid(left))) linkSync(left, file);
  } catch {
    // It is gone, or the next has it: look again.
  }
  rmSync(left, { force: true });
  return false;
}

/** The pid in a file; null when there is none. */
export function readPid(file: string): number | null {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** Whether a process is there. */
export function isAlive(pid: number | null): boolean {
  if (pid === null || !Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
