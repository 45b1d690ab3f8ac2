import type { ReleaseIndex } from './release-index.ts';
import { isGone, linePath, parseLine } from './release-index.ts';

/** File of a release that names what caches have to forget, an address a line. */
export const PURGE_FILE = 'purge.txt';

/**
 * The paths whose answer is another one than in the release before: changed and withdrawn. New ones are
 * not among them, because no cache keeps a 404. The lines of the new release are sorted.
 */
export function changedPaths(previous: ReleaseIndex | null, lines: string[]): string[] {
  if (previous === null) return [];
  const changed: string[] = [];
  let at = 0;
  for (const old of previous.lines()) {
    const path = linePath(old);
    // Both are sorted: a step for each line, and most lines are the same.
    while (at < lines.length && linePath(lines[at] ?? '') < path) at += 1;
    const line = lines[at];
    if (line === old || isGone(old)) continue;
    if (line === undefined || linePath(line) !== path || differs(old, line)) changed.push(path);
  }
  return changed;
}

function differs(old: string, line: string): boolean {
  const [before, after] = [parseLine(old), parseLine(line)];
  return before?.hash !== after?.hash || before?.type !== after?.type;
}
