import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

const LOOK_AGAIN_MS = 50;

/** Runs work under a lock file with the pid of its holder; waits while a living process holds it. */
export async function withProcessLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  while (!take(file)) await setTimeout(LOOK_AGAIN_MS);
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

/** Tries to take the lock; clears one whose holder has died. */
function take(file: string): boolean {
  const own = `${file}.${process.pid}`;
  // Linked into place, so that the lock file never exists without its pid.
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
  // The rename decides who clears it; a late renamer may catch a new lock, and puts it back.
  const left = `${own}.left`;
  try {
    renameSync(file, left);
    if (isAlive(readPid(left))) linkSync(left, file);
  } catch {
    // Another process cleared or took it: retry.
  }
  rmSync(left, { force: true });
  return false;
}

/** Reads the pid in a file; null without one. */
export function readPid(file: string): number | null {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** Tells whether a process exists. */
export function isAlive(pid: number | null): boolean {
  if (pid === null || !Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
