import type { Catalog } from '../data/catalog/export.ts';
import type { Release } from './release.ts';
import type { Known } from './release-index.ts';
import type { PageTask } from './render-pages.ts';

/** Which pages of a catalog are looked at: all are rendered, all are compared, or those that a change touched. */
export type Scope = 'render' | 'compare' | 'touched';

/** What planning takes. */
export type Planning = {
  catalog: Catalog;
  /** False: only offers have pages. */
  productPages: boolean;
  template: string;
  previous: Release | null;
  /** What was read to be compared, and is to be rendered, by its path. */
  kept: Map<string, RecordTask>;
};

/** The task of a record's page and its twin. */
export type RecordTask = PageTask & { id: number; oldTwin: Known | null };
