import { setImmediate } from 'node:timers/promises';
import type { Directory } from '../domain/catalog.ts';
import type { GazetteerEntry } from '../domain/gazetteer.ts';
import type { UnknownName } from '../domain/search.ts';
import { type LocatedPlace, placesOfGazetteer } from '../understand/mentions/gazetteer.ts';
import {
  type Merchant,
  type MerchantIndex,
  NO_MERCHANTS,
  openMerchantIndex,
} from '../understand/mentions/merchant-index.ts';
import { indexPlaces, type PlaceIndex } from '../understand/mentions/places.ts';

const MAX_NAMES = 1000;
const KEPT_MS = 5_000;
const NAMES_KEPT_MS = 60_000;
const NO_PLACES = indexPlaces([]);

/**
 * Caches the look-up of names for a few seconds, as nearly every search resolves the same city. Unknown names are not
 * cached: the next import may bring them.
 */
export function rememberKnown<Known extends object>(
  find: (name: string) => Promise<Known | UnknownName>,
  now: () => number,
): (name: string) => Promise<Known | UnknownName> {
  // Insertion order: the oldest comes first.
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

type ListPlaces = () => Promise<(LocatedPlace & { state: string | null })[]>;

/** Caches the index of the catalog's places and of a gazetteer's places in its cities. */
export const rememberPlaces = (
  list: ListPlaces,
  now: () => number,
  gazetteer: readonly GazetteerEntry[] = [],
): (() => Promise<PlaceIndex>) =>
  rememberNames(
    async () => {
      const places = await list();
      return indexPlaces(
        places,
        places.flatMap(({ state }) => state ?? []),
        placesOfGazetteer(gazetteer, places),
      );
    },
    NO_PLACES,
    now,
  );

/** Lists the merchants and the version of the catalog; null if that is the `known` version. */
type ListMerchants = (
  known: string | null,
) => Promise<{ version: string; merchants: Merchant[] } | null>;

/** Merchants indexed, in about 5 ms, before yielding to the event loop. */
const MERCHANTS_A_TURN = 1000;

/** Caches the index of the catalog's merchants; rebuilt only if the catalog has changed. */
export function rememberMerchants(
  list: ListMerchants,
  now: () => number,
): () => Promise<MerchantIndex> {
  let known: { version: string; index: MerchantIndex } | null = null;
  async function read(): Promise<MerchantIndex> {
    const listed = await list(known?.version ?? null);
    if (listed === null) return known?.index ?? NO_MERCHANTS;
    const { index, add } = openMerchantIndex();
    for (const [place, merchant] of listed.merchants.entries()) {
      if (place % MERCHANTS_A_TURN === 0) await setImmediate();
      add(merchant);
    }
    known = { version: listed.version, index };
    return index;
  }
  return rememberNames(read, NO_MERCHANTS, now);
}

/**
 * Caches names for a minute, stale-while-revalidate: only the first call waits for a read. Never fails: without names,
 * queries are understood by their words alone.
 */
function rememberNames<Names>(
  readNames: () => Promise<Names>,
  none: Names,
  now: () => number,
): () => Promise<Names> {
  let known: Names | null = null;
  let keptUntil = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    try {
      known = await readNames();
      keptUntil = now() + NAMES_KEPT_MS;
    } catch {
      keptUntil = now() + KEPT_MS;
    }
    reading = null;
  }

  return async () => {
    if (now() < keptUntil) return known ?? none;
    reading ??= read();
    if (known === null) await reading;
    return known ?? none;
  };
}

/** Caches the directory per catalog `version`, single flight; failed reads are not cached. */
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
