import MiniSearch from 'minisearch';
import { type Engine, RESULTS } from './engine.ts';
import type { KnownItem } from './items.ts';

/** MiniSearch in this process, with the options that its guide shows. */
export function miniSearchOf(items: KnownItem[]): Engine {
  const index = new MiniSearch<KnownItem>({
    fields: ['title', 'brand'],
    storeFields: ['title'],
    searchOptions: { boost: { title: 2 }, fuzzy: 0.2, prefix: true, combineWith: 'OR' },
  });
  index.addAll(items);
  return {
    name: 'MiniSearch',
    search: async (query) =>
      index
        .search(query)
        .slice(0, RESULTS)
        .map(({ title }) => ({ title })),
  };
}
