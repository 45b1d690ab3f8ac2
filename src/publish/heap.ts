import { setFlagsFromString } from 'node:v8';

/** A third of what a rendering thread has for new objects. */
const THREAD_SEMI_SPACE_MB = 8;

/**
 * Lets the heap grow by a quarter between collections, instead of up to fourfold, and leaves the room for
 * what is new as it is: what this thread makes it keeps, so that more room would only be more memory (100
 * MB of it). Threads, which throw nearly everything away, have theirs from the start. Without a cap on the
 * whole, so that a catalog of any size still fits.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=25');
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString(`--min-semi-space-size=${THREAD_SEMI_SPACE_MB}`);
}
