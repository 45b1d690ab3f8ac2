import type { Directory } from '../domain/catalog.ts';
import type { UnknownName } from '../domain/search.ts';
import { indexPlaces, type PlaceIndex } from '../understand/places.ts';
import type { Place } from '../understand/types.ts';

const MAX_NAMES = 1000;
const KEPT_MS = 5_000;
const PLACES_KEPT_MS = 60_000;
const NO_PLACES = indexPlaces([]);

/**
 * Remembers for a few seconds what a name was found to mean, so that the city of nearly every search is
 * not asked for each time. A name that is not known is asked for again: the next import may bring it.
 */
export function rememberKnown<Known extends object>(
  find: (name: string) => Promise<Known | UnknownName>,
  now: () => number,
): (name: string) => Promise<Known | UnknownName> {
  // In the order of their finding: the oldest comes first.
  const known = new Map<string, { found: Known; at: number }>();
  return async (name) => {
    const remembered = known.get(name);
    if (remembered !== undefined && now() - remembered.at < KEPT_MS) return remembered.found;
    known.delete(name);
    const found = await find(name);
    if ('unknown' in found) return found;
    known.set(name, { found, at: now() });
    const [oldest] = known.keys();
    if (known.size > MAX_NAMES && oldest !== undefined) known.delete(oldest);
    return found;
  };
}

type ListPlaces = () => Promise<(Place & { state: string | null })[]>;

/**
 * Remembers the places of the catalog, ready to be found in queries. After a minute they are read anew
 * beside the searches, which go on with those known: only the first one waits. None of them fails for it:
 * without places a query is understood by its words alone.
 */
export function rememberPlaces(list: ListPlaces, now: () => number): () => Promise<PlaceIndex> {
  let known: PlaceIndex | null = null;
  let keptUntil = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    try {
      const places = await list();
      known = indexPlaces(
        places,
        places.flatMap(({ state }) => state ?? []),
      );
      keptUntil = now() + PLACES_KEPT_MS;
    } catch {
      keptUntil = now() + KEPT_MS;
    }
    reading = null;
  }

  return async () => {
    if (now() < keptUntil) return known ?? NO_PLACES;
    reading ??= read();
    if (known === null) await reading;
    return known ?? NO_PLACES;
  };
}

/**
 * Remembers the directory of the catalog for as long as the catalog stays as it is: `version` tells one
 * from another. Callers of one version share a reading; one that failed is forgotten.
 */
export function rememberDirectory(
  read: () => Promise<Directory>,
): (version: string | null) => Promise<Directory> {
  let known: { version: string | null; directory: Promise<Directory> } | null = null;
  return (version) => {
    if (known?.version !== version) {
      const reading = { version, directory: read() };
      known = reading;
      reading.directory.catch(() => {
        if (known === reading) known = null;
      });
    }
    return known.directory;
  };
}
