import type { Harvest } from './align.ts';

/** Serialises a harvest in the lexicon's format: needs, then forms by language, all sorted. */
export function writeHarvest({ needs, forms }: Harvest): string {
  const lines = ['#needs'];
  const byId = [...needs].sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const { id, label, broader } of byId) lines.push(`${id}\t${label}\t${broader}\titem`);
  for (const [language, byNeed] of [...forms].sort(([a], [b]) => (a < b ? -1 : 1))) {
    lines.push(`#forms ${language}`);
    const sorted = [...byNeed].sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [need, names] of sorted) lines.push(`${need}: ${names.join(', ')}`);
  }
  return `${lines.join('\n')}\n`;
}
