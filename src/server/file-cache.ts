import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReleaseEntry } from '../publish/release-index.ts';

/** Larger files are streamed. */
export const CACHED_FILE_BYTES = 256 * 1024;
const CACHE_BYTES = 64 * 1024 * 1024;

/** Returns the path of a resource's file in an encoding (by suffix). */
export function entryFile({ tree, file }: ReleaseEntry, suffix: string): string {
  return join(tree, file + suffix);
}

/** An LRU cache of small release files; they never change, so nothing is revalidated. */
export class FileCache {
  private readonly files = new Map<string, Buffer>();
  private bytes = 0;

  /** Returns the content of a file; concurrent misses may read it twice, which is harmless. */
  async read(entry: ReleaseEntry, suffix: string): Promise<Buffer> {
    const path = entryFile(entry, suffix);
    const known = this.files.get(path);
    if (known !== undefined) {
      this.files.delete(path);
      this.files.set(path, known);
      return known;
    }
    const content = await readFile(path);
    this.add(path, content);
    return content;
  }

  private add(path: string, content: Buffer): void {
    if (this.files.has(path)) return;
    this.files.set(path, content);
    this.bytes += content.length;
    for (const [oldest, { length }] of this.files) {
      if (this.bytes <= CACHE_BYTES) return;
      this.files.delete(oldest);
      this.bytes -= length;
    }
  }
}
