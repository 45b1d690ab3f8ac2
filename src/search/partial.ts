import type { Hit } from '../domain/catalog.ts';

/** A hit that fits in part at most, because its record lacks what the labels say. */
export function asPartial<T>(hit: Hit<T>, labels: readonly string[]): Hit<T> {
  const missing = [...new Set([...hit.missing, ...labels])];
  if (hit.match !== 'exact') return { ...hit, missing };
  // An exact match is worth half a point more than any partial one.
  return { ...hit, match: 'partial', score: hit.score - 0.5, missing };
}

/** Hits with no partial one above an exact one, and scores that descend. */
export function descending<T>(hits: readonly Hit<T>[]): Hit<T>[] {
  const isExact = ({ match }: Hit<T>) => match === 'exact';
  let last = 1;
  return [...hits.filter(isExact), ...hits.filter((hit) => !isExact(hit))].map((hit) => {
    last = Math.min(last, hit.score);
    return { ...hit, score: last };
  });
}
