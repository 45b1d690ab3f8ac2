import type { UnknownName } from '../domain/search.ts';

const MAX_NAMES = 1000;
const KEPT_MS = 5_000;

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
