import type { Harvest } from './align.ts';

/** Writes a harvest as the lexicon reads it: the needs, then the forms of each language, all in order. */
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
