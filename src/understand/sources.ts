import type { Need, NeedKind } from './types.ts';

/** A form as its file has it. */
export type WrittenForm = { target: string; form: string; purpose: boolean };

/** A line that could not be read, for the checker. */
export type BadLine = { line: number; text: string };

const KINDS = new Set(['item', 'dish', 'place', 'service', 'attribute']);

function isKind(value: string | undefined): value is NeedKind {
  return value !== undefined && KINDS.has(value);
}

/** Reads `needs.tsv`; lines that do not fit are returned apart. */
export function parseNeeds(text: string): { needs: Need[]; bad: BadLine[] } {
  const needs: Need[] = [];
  const bad: BadLine[] = [];
  const lines = text.split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line.trim() === '' || line.startsWith('#')) continue;
    const [id, label, broader, kind] = line.split('\t');
    if (id && label && broader && isKind(kind?.trim())) {
      const ids = broader === '-' ? [] : broader.split(' ').filter(Boolean);
      needs.push({ id, label, broader: ids, kind: kind.trim() as NeedKind });
    } else bad.push({ line: index + 1, text: line });
  }
  return { needs, bad };
}

/** Reads one forms file: `need-id: form, ~purpose, …`; `!signal` lines give targets with `!`. */
export function parseForms(text: string): { forms: WrittenForm[]; bad: BadLine[] } {
  const forms: WrittenForm[] = [];
  const bad: BadLine[] = [];
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const colon = line.search(/[:：]/);
    if (colon <= 0) {
      bad.push({ line: index + 1, text: line });
      continue;
    }
    const target = line.slice(0, colon).trim();
    for (const piece of line.slice(colon + 1).split(/[,،、，;]/)) {
      const written = piece.trim();
      const purpose = written.startsWith('~');
      const form = purpose ? written.slice(1).trim() : written;
      if (form) forms.push({ target, form, purpose });
    }
  }
  return { forms, bad };
}

/** Reads `combinations.tsv`: the need that two needs mean together (repair + phone). */
export function parseCombinations(text: string): { need: string; parts: string[] }[] {
  const lines = text.split(/\r?\n/).slice(1);
  return lines.flatMap((line) => {
    const [need, parts] = line.split('\t');
    return need && parts ? [{ need, parts: parts.trim().split(' ') }] : [];
  });
}

/** Reads the harvest: lines of needs after `#needs`, of forms after `#forms <language>`. */
export function parseHarvest(text: string): { needs: Need[]; forms: Map<string, WrittenForm[]> } {
  const forms = new Map<string, WrittenForm[]>();
  const [, needs = '', ...sections] = text.split(/^#needs\n|^#forms /m);
  for (const section of sections) {
    const end = section.indexOf('\n');
    forms.set(section.slice(0, end), parseForms(section.slice(end)).forms);
  }
  return { needs: parseNeeds(`\n${needs}`).needs, forms };
}
