import type { Named } from '../domain/catalog.ts';
import type { UnknownName } from '../domain/search.ts';
import type { SearchDependencies } from './dependencies.ts';
import type { SearchMessage } from './messages.ts';

const SUGGESTIONS = 5;

/** Categories that a name means, the ids of their subtrees, and a note on how the name was read. */
type Resolved = { names: string[]; ids: number[]; message: SearchMessage | null } | UnknownName;

/**
 * Finds a category by name or id, else all with the same meaning in any language ("Shoes", "zapatos"), else the
 * nearest broader one; otherwise returns suggestions.
 */
export async function findCategory(
  name: string,
  records: 'products' | 'offers',
  { catalog, understand }: Pick<SearchDependencies, 'catalog' | 'understand'>,
): Promise<Resolved> {
  const found = await catalog.findCategories(name, records);
  if (!('unknown' in found)) return { names: [found.name], ids: found.ids, message: null };
  const intent = understand(name);
  const { broader } = intent;
  const tokens = intent.clauses.flatMap(({ meanings }) => meanings.map(({ token }) => token));
  if (tokens.length === 0) return found;
  const near = await catalog.nearestCategories([...tokens, ...broader]);
  const wanted = meaningOf(intent);
  const meanings = near.map((category) => ({
    category,
    ...meaningOf(understand(category.name)),
  }));
  const same = wanted.isSure ? ofSameMeaning(wanted, meanings) : [];
  const taken = same.length > 0 || !wanted.isSure ? same : nearestAbove(broader, meanings);
  if (taken.length > 0) {
    const known = await Promise.all(
      taken.map(({ id }) => catalog.findCategories(String(id), records)),
    );
    const ids = known.flatMap((one) => ('unknown' in one ? [] : one.ids));
    const names = taken.map((category) => category.name);
    const kind = same.length > 0 ? 'category-by-meaning' : 'broader-category';
    return { names, ids: [...new Set(ids)], message: { kind, name, categories: names } };
  }
  const names = [...near.map((category) => category.name), ...found.suggestions];
  return { unknown: true, suggestions: [...new Set(names)].slice(0, SUGGESTIONS) };
}

type Meaning = { head: string | null; tokens: string[]; isSure: boolean };
type Candidate = Meaning & { category: Named };

/** Returns the categories with exactly these concepts, else with this head, else those that mention the head. */
function ofSameMeaning({ head, tokens }: Meaning, meanings: readonly Candidate[]): Named[] {
  if (head === null) return [];
  const tiers = [
    meanings.filter((one) => one.tokens.join() === tokens.join()),
    meanings.filter((one) => one.head === head),
    meanings.filter((one) => one.tokens.includes(head)),
  ];
  return (tiers.find((tier) => tier.length > 0) ?? []).map(({ category }) => category);
}

/** Returns the categories whose head is the nearest broader concept that any category has. */
function nearestAbove(broader: readonly string[], meanings: readonly Candidate[]): Named[] {
  const kind = broader.find((token) => meanings.some(({ head }) => head === token));
  return meanings.filter(({ head }) => head !== null && head === kind).map((one) => one.category);
}

/** Returns the head concept of a name, all its concepts, and whether every word was understood. */
function meaningOf({ clauses }: ReturnType<SearchDependencies['understand']>): Meaning {
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
