import type { Catalog } from '../data/catalog/export.ts';
import type { Release } from './release.ts';
import type { Known } from './release-index.ts';
import type { PageTask } from './render-pages.ts';

/** How pages are chosen: all rendered, all compared, or only those that a change touched compared. */
export type Scope = 'render' | 'compare' | 'touched';

/** The inputs of planning. */
export type Planning = {
  catalog: Catalog;
  /** False when only offers have pages. */
  productPages: boolean;
  template: string;
  previous: Release | null;
  /** Models read for comparison and still to be rendered, by path. */
  kept: Map<string, RecordTask>;
};

/** The render task of a record's page and twin. */
export type RecordTask = PageTask & { id: number; oldTwin: Known | null };
