import { type Known, type ReleaseIndex, resourceOf } from './release-index.ts';

/** What a release holds: the indexes of its layers, of which each hides what those below it know of a path. */
export class Layers {
  /** The uppermost first. */
  readonly indexes: readonly ReleaseIndex[];

  constructor(indexes: readonly ReleaseIndex[]) {
    this.indexes = indexes;
  }

  /** What the release knows of a path; null when it never heard of it. */
  find(path: string): Known | null {
    for (const index of this.indexes) {
      const known = index.find(path);
      if (known !== null) return known;
    }
    return null;
  }

  /** True when the release holds a resource there. */
  isLive(path: string): boolean {
    return resourceOf(this.find(path)) !== null;
  }

  /** The paths of the uppermost layer, in order, with what is known of them. */
  *ownEntries(): Generator<[path: string, known: Known]> {
    yield* this.indexes[0]?.entries() ?? [];
  }

  /** All paths that begin with a prefix, in order, with what is known of them. */
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
