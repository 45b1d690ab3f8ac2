import type { BuiltLanguage, BuiltLexicon } from '../understand/lexicon-types.ts';
import { stemPortuguese } from '../understand/text/stem.ts';
import { joinUnits, tokenize } from '../understand/text/tokenize.ts';
import type { SourceConcept } from './sources.ts';

/** What the sources add to the hand-written lexicon. */
export type Harvest = {
  /** Needs missing from the hand-written lexicon; labels are Portuguese. */
  needs: { id: string; label: string; broader: string }[];
  /** Forms of needs, by language. */
  forms: Map<string, Map<string, string[]>>;
};

/** A concept is aligned with a need if its names in this many languages are forms of it… */
const LEAST_VOTES = 3;
/** …and this many times more than of any other need. */
const LEAST_LEAD = 2;
/** Concepts that may become needs: goods, shops, crafts and cuisines, but not a baseball field or a tiger. */
const GOODS = /^(shopify|osm:(shop|craft|cuisine))/;
/** A word in the names of this many branches is too general for a need: ropes are not bird toys. */
const GENERAL = 3;
const MAX_WORDS = 4;
const MAX_CHARS = 40;

/**
 * Aligns source concepts with hand-written needs: a concept whose names are forms of one need in several languages
 * is that need, and adds its names in the other languages. A Portuguese-named concept without a need becomes one,
 * below the need of its nearest ancestor.
 */
export function alignConcepts(concepts: readonly SourceConcept[], written: BuiltLexicon): Harvest {
  const needOf = new Map<string, string>();
  const spread = languagesOf(written);
  for (const concept of concepts) {
    const need = voteNeed(concept, written, spread);
    if (need !== null) needOf.set(concept.key, need);
  }
  const harvest: Harvest = { needs: [], forms: new Map() };
  addNeeds(concepts, written, needOf, harvest);
  const owners = ownersOf(concepts, needOf);
  for (const concept of concepts) {
    const need = needOf.get(concept.key);
    if (need === undefined) continue;
    for (const [language, names] of concept.names) {
      for (const name of names) {
        const key = keyOf(name);
        const taken = written.languages.get(language)?.exact.has(key);
        const shared = (owners.get(`${language} ${key}`)?.size ?? 0) > 1;
        if (key === '' || taken || shared) continue;
        if (isUsable(name)) addForm(harvest, language, need, name);
      }
    }
  }
  return harvest;
}

/** Counts the languages that have forms of each need. */
function languagesOf(written: BuiltLexicon): Map<string, number> {
  const spread = new Map<string, number>();
  for (const { exact } of written.languages.values()) {
    const targets = [...exact.values()].flat().map(({ target }) => target);
    for (const target of new Set(targets)) spread.set(target, (spread.get(target) ?? 0) + 1);
  }
  return spread;
}

function voteNeed(
  concept: SourceConcept,
  written: BuiltLexicon,
  spread: ReadonlyMap<string, number>,
): string | null {
  const votes = new Map<string, number>();
  for (const [language, names] of concept.names) {
    const exact = written.languages.get(language)?.exact;
    const targets = names.flatMap((name) =>
      (exact?.get(keyOf(name)) ?? []).filter((entry) => !entry.purpose).map(({ target }) => target),
    );
    for (const target of new Set(targets)) votes.set(target, (votes.get(target) ?? 0) + 1);
  }
  const [best, second] = [...votes].sort((a, b) => b[1] - a[1]);
  if (!best || best[0].startsWith('!')) return null;
  // A need with forms in fewer languages than the threshold must be confirmed by all of them.
  if (best[1] < Math.min(LEAST_VOTES, spread.get(best[0]) ?? 0)) return null;
  return best[1] >= LEAST_LEAD * (second?.[1] ?? 0) ? best[0] : null;
}

function addNeeds(
  concepts: readonly SourceConcept[],
  written: BuiltLexicon,
  needOf: Map<string, string>,
  harvest: Harvest,
): void {
  const byKey = new Map(concepts.map((concept) => [concept.key, concept]));
  const portuguese = written.languages.get('pt');
  const branches = branchesOfWords(concepts, byKey);
  const byLabel = new Map<string, string>();
  for (const concept of concepts) {
    const [label] = concept.names.get('pt') ?? [];
    if (needOf.has(concept.key) || label === undefined || !isUsable(label)) continue;
    if (!GOODS.test(concept.key)) continue;
    const key = keyOf(label);
    // Skip names that already belong to a need, broader or narrower: they would be ambiguous.
    if (key === '' || isWritten(label, portuguese)) continue;
    if ((branches.get(stemPortuguese(key))?.size ?? 0) >= GENERAL) continue;
    const known = byLabel.get(key);
    if (known !== undefined) {
      needOf.set(concept.key, known);
      continue;
    }
    const broader = ancestorNeed(concept, byKey, needOf);
    const id = `+${key.replace(/[^a-z0-9]+/g, '-')}`;
    byLabel.set(key, id);
    needOf.set(concept.key, id);
    harvest.needs.push({ id, label: label.toLowerCase(), broader: broader ?? '-' });
  }
}

// "Saxofones" is the hand-written saxophone, not a second need.
function isWritten(label: string, portuguese: BuiltLanguage | undefined): boolean {
  if (!portuguese) return false;
  const units = tokenize(label, 128, 16);
  const stems = joinUnits(units, (unit) => portuguese.stem(unit.text));
  return [
    ...(portuguese.exact.get(joinUnits(units, (unit) => unit.text)) ?? []),
    ...(portuguese.exact.get(stems) ?? []),
    ...(portuguese.stems.get(stems) ?? []),
  ].some((entry) => !entry.purpose);
}

/** Maps the stem of each word in Portuguese names to the root concepts under which it occurs. */
function branchesOfWords(
  concepts: readonly SourceConcept[],
  byKey: ReadonlyMap<string, SourceConcept>,
): Map<string, Set<string>> {
  const branches = new Map<string, Set<string>>();
  for (const concept of concepts) {
    const top = topmost(concept, byKey);
    for (const unit of concept.names.get('pt')?.flatMap((name) => tokenize(name, 128, 16)) ?? []) {
      const stem = stemPortuguese(unit.text);
      branches.set(stem, (branches.get(stem) ?? new Set()).add(top));
    }
  }
  return branches;
}

function topmost(concept: SourceConcept, byKey: ReadonlyMap<string, SourceConcept>): string {
  const parent = concept.parent === null ? undefined : byKey.get(concept.parent);
  return parent ? topmost(parent, byKey) : concept.key;
}

function ancestorNeed(
  concept: SourceConcept,
  byKey: ReadonlyMap<string, SourceConcept>,
  needOf: ReadonlyMap<string, string>,
): string | null {
  for (let parent = concept.parent; parent !== null; parent = byKey.get(parent)?.parent ?? null) {
    const need = needOf.get(parent);
    if (need !== undefined) return need;
  }
  return null;
}

/** Maps language and form to the needs that claim it. */
function ownersOf(concepts: readonly SourceConcept[], needOf: ReadonlyMap<string, string>) {
  const owners = new Map<string, Set<string>>();
  for (const concept of concepts) {
    const need = needOf.get(concept.key);
    if (need === undefined) continue;
    for (const [language, names] of concept.names) {
      for (const name of names) {
        const key = `${language} ${keyOf(name)}`;
        const known = owners.get(key) ?? new Set<string>();
        owners.set(key, known.add(need));
      }
    }
  }
  return owners;
}

function addForm(harvest: Harvest, language: string, need: string, name: string): void {
  const needs = harvest.forms.get(language) ?? new Map<string, string[]>();
  harvest.forms.set(language, needs);
  const forms = needs.get(need) ?? [];
  if (!forms.includes(name)) needs.set(need, [...forms, name]);
}

// Long names come from classifications ("Other parts for …"), not from people.
function isUsable(name: string): boolean {
  const units = tokenize(name);
  const words = units.filter((unit) => unit.spaced).length;
  return name.length <= MAX_CHARS && words <= MAX_WORDS && units.length > 0;
}

function keyOf(name: string): string {
  return joinUnits(tokenize(name, 128, 16), (unit) => unit.text);
}
