import type { Named } from '../../domain/catalog.ts';
import type { KnownCategory, UnknownName } from '../../domain/search.ts';
import type { Live } from '../live.ts';

const SUGGESTIONS = 5;

/** A category, and whether it was found by what its name means. */
type Resolved = (KnownCategory & { byMeaning: boolean }) | UnknownName;

/**
 * Finds a category by its name or id; else the one whose name means the same in any language ("Shoes",
 * "zapatos"), where that is sure; else names what is nearest, by meaning first.
 */
export async function findCategory(
  name: string,
  kind: 'products' | 'offers',
  { catalog, understand }: Pick<Live, 'catalog' | 'understand'>,
): Promise<Resolved> {
  const found = await catalog.findCategories(name, kind);
  if (!('unknown' in found)) return { ...found, byMeaning: false };
  const { clauses, broader } = understand(name);
  const tokens = clauses.flatMap(({ meanings }) => meanings.map(({ token }) => token));
  if (tokens.length === 0) return found;
  const near = await catalog.nearestCategories([...tokens, ...broader]);
  const taken = sureOf(meaningOf(name, understand), near, understand);
  if (taken !== undefined) {
    const known = await catalog.findCategories(String(taken.id), kind);
    if (!('unknown' in known)) return { ...known, byMeaning: true };
  }
  const names = [...near.map((category) => category.name), ...found.suggestions];
  return { unknown: true, suggestions: [...new Set(names)].slice(0, SUGGESTIONS) };
}

/** What agents are told of a category that was found by its meaning. */
export const takenMessages = (given: string, category: Resolved): string[] =>
  'unknown' in category || !category.byMeaning
    ? []
    : [`The category "${given}" was understood as ${category.name}.`];

/** The one category that a name means: all of it, or what it is about, or something that it names. */
function sureOf(
  wanted: Meaning,
  near: readonly Named[],
  understand: Live['understand'],
): Named | undefined {
  const { head } = wanted;
  if (head === null || !wanted.isSure) return undefined;
  const meanings = near.map((category) => ({ category, ...meaningOf(category.name, understand) }));
  const tiers = [
    meanings.filter(({ tokens }) => tokens.join() === wanted.tokens.join()),
    meanings.filter((meaning) => meaning.head === head),
    meanings.filter(({ tokens }) => tokens.includes(head)),
  ];
  const [only, other] = tiers.find((tier) => tier.length > 0) ?? [];
  return other === undefined ? only?.category : undefined;
}

type Meaning = { head: string | null; tokens: string[]; isSure: boolean };

/** The concept that a name is about, all that it names, and whether every word of it is understood. */
function meaningOf(name: string, understand: Live['understand']): Meaning {
  const { clauses } = understand(name);
  const head = clauses.find(({ leads }) => leads)?.meanings[0];
  const named = clauses.flatMap(({ meanings }) => meanings[0]?.token ?? []);
  const hasTerms = clauses.some(({ kind }) => kind === 'term');
  return {
    head: head?.token ?? null,
    tokens: [...new Set(named)].sort(),
    isSure: head !== undefined && head.sureness >= LEAST_SURE && !hasTerms,
  };
}

/** Above the sureness of a guess, see `READING`. */
const LEAST_SURE = 0.85;
