import type { Hit } from '../domain/catalog.ts';

/** Demotes a hit to a partial match that lacks the labels. */
export function asPartial<T>(hit: Hit<T>, labels: readonly string[]): Hit<T> {
  const missing = [...new Set([...hit.missing, ...labels])];
  if (hit.match !== 'exact') return { ...hit, missing };
  // Exact scores are 0.5..1, partial ones 0..0.5.
  return { ...hit, match: 'partial', score: hit.score - 0.5, missing };
}

/** Orders exact hits before the others and caps scores so that they descend. */
export function descending<T>(hits: readonly Hit<T>[]): Hit<T>[] {
  const isExact = ({ match }: Hit<T>) => match === 'exact';
  let last = 1;
  return [...hits.filter(isExact), ...hits.filter((hit) => !isExact(hit))].map((hit) => {
    last = Math.min(last, hit.score);
    return { ...hit, score: last };
  });
}
