import { type Known, type ReleaseIndex, resourceOf } from './release-index.ts';

/** The layered indexes of a release; an entry hides those of the same path in lower layers. */
export class Layers {
  /** Topmost first. */
  readonly indexes: readonly ReleaseIndex[];

  constructor(indexes: readonly ReleaseIndex[]) {
    this.indexes = indexes;
  }

  /** Finds the entry of a path in the topmost layer that has one; null if none has. */
  find(path: string): Known | null {
    for (const index of this.indexes) {
      const known = index.find(path);
      if (known !== null) return known;
    }
    return null;
  }

  /** Tells whether the release has a resource at a path. */
  isLive(path: string): boolean {
    return resourceOf(this.find(path)) !== null;
  }

  /** Yields the entries of the topmost layer in path order. */
  *ownEntries(): Generator<[path: string, known: Known]> {
    yield* this.indexes[0]?.entries() ?? [];
  }

  /** Yields the entries of all paths with a prefix, in path order (a k-way merge). */
  *entries(prefix = ''): Generator<[path: string, known: Known]> {
    const heads = this.indexes.map((index) => {
      const rest = index.entries(prefix);
      return { rest, head: rest.next() };
    });
    for (;;) {
      let first: [string, Known] | null = null;
      for (const { head } of heads) {
        if (!head.done && (first === null || head.value[0] < first[0])) first = head.value;
      }
      if (first === null) return;
      for (const one of heads) {
        if (!one.head.done && one.head.value[0] === first[0]) one.head = one.rest.next();
      }
      yield first;
    }
  }
}
