import { ancestorsOf, makePart, type Part } from './parts.ts';
import type { Lexicon, Need } from './types.ts';

/** Joins parts that mean one need together (repair + phone); the parts stay, at little weight. */
export function combine(parts: readonly Part[], lexicon: Lexicon): Part[] {
  const result = [...parts];
  for (const [place, a] of parts.entries()) {
    for (const b of parts.slice(place + 1)) {
      if (a.absorbed || b.absorbed || Math.min(a.quality, b.quality) < 0.6) continue;
      const need = combinedNeed(a.need, b.need, lexicon);
      if (!need || result.some((part) => part.need.id === need.id)) continue;
      if (a.need.kind !== 'attribute') a.absorbed = true;
      if (b.need.kind !== 'attribute') b.absorbed = true;
      const both = { language: a.language, purpose: a.purpose && b.purpose };
      const at = [...new Set([...a.at, ...b.at])].sort((x, y) => x - y);
      const quality = Math.max(0.85, Math.min(a.quality, b.quality));
      const plausible = Math.max(a.plausible, b.plausible);
      result.push(makePart(need, both, { at, quality, plausible }));
    }
  }
  return result.sort((x, y) => (x.at[0] ?? 0) - (y.at[0] ?? 0));
}

/** The need that two needs mean together; services also combine with what is broader. */
export function combinedNeed(a: Need, b: Need, lexicon: Lexicon): Need | null {
  const direct = lexicon.combinations.get(`${a.id} ${b.id}`);
  if (direct) return lexicon.needs.get(direct) ?? null;
  if (a.kind !== 'service' && b.kind !== 'service') return null;
  const [service, thing] = a.kind === 'service' ? [a, b] : [b, a];
  for (const id of ancestorsOf(thing.id, lexicon)) {
    const found = lexicon.combinations.get(`${service.id} ${id}`);
    if (found) return lexicon.needs.get(found) ?? null;
  }
  return null;
}
