import type { Need, NeedKind, Sources } from '../lexicon-types.ts';
import { fold } from '../text/text.ts';

/** A form as written in its file. */
export type WrittenForm = { target: string; form: string; purpose: boolean };

/** An unreadable line, for the checker. */
export type BadLine = { line: number; text: string };

const KINDS = new Set(['item', 'dish', 'place', 'service', 'attribute']);

function isKind(value: string | undefined): value is NeedKind {
  return value !== undefined && KINDS.has(value);
}

/** Parses `needs.tsv`; malformed lines are returned as `bad`. */
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

/** Parses a forms file: `need-id: form, ~purpose, …`; targets of signals start with `!`. */
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

/** Parses `combinations.tsv`: the need that two needs mean together (repair + phone). */
export function parseCombinations(text: string): { need: string; parts: string[] }[] {
  const lines = text.split(/\r?\n/).slice(1);
  return lines.flatMap((line) => {
    const [need, parts] = line.split('\t');
    return need && parts ? [{ need, parts: parts.trim().split(' ') }] : [];
  });
}

/** Parses the harvest: needs after `#needs`, forms after each `#forms <language>`. */
export function parseHarvest(text: string): { needs: Need[]; forms: Map<string, WrittenForm[]> } {
  const forms = new Map<string, WrittenForm[]>();
  const [, needs = '', ...sections] = text.split(/^#needs\n|^#forms /m);
  for (const section of sections) {
    const end = section.indexOf('\n');
    forms.set(section.slice(0, end), parseForms(section.slice(end)).forms);
  }
  return { needs: parseNeeds(`\n${needs}`).needs, forms };
}

/** A problem in the lexicon's files: errors must be fixed, warnings may be intended. */
export type Finding = {
  level: 'error' | 'warning';
  language: string | null;
  need: string | null;
  message: string;
};

const SIGNALS = ['!cheap', '!near', '!open', '!delivery', '!gift', '!polite'];

/** Checks needs and forms: unknown and duplicate ids, unreadable lines, gaps, duplicates, clashes. */
export function checkSources(sources: Sources): Finding[] {
  const { needs, bad } = parseNeeds(sources.needs);
  const ids = new Set(needs.map((need) => need.id));
  const findings: Finding[] = bad.map(({ line, text }) =>
    error(null, null, `needs.tsv line ${line} cannot be read: ${text.slice(0, 60)}`),
  );
  const seen = new Set<string>();
  for (const need of needs) {
    if (seen.has(need.id)) findings.push(error(null, need.id, 'id given twice'));
    seen.add(need.id);
    for (const id of need.broader) {
      if (!ids.has(id)) findings.push(error(null, need.id, `unknown broader need ${id}`));
    }
  }
  for (const [language, text] of sources.forms) findings.push(...checkForms(language, text, ids));
  return findings;
}

function checkForms(language: string, text: string, ids: ReadonlySet<string>): Finding[] {
  const { forms, bad } = parseForms(text);
  const findings = bad.map(({ line, text: raw }) =>
    error(language, null, `line ${line} cannot be read: ${raw.slice(0, 60)}`),
  );
  const targets = new Set(forms.map((form) => form.target));
  for (const target of targets) {
    if (!ids.has(target) && !SIGNALS.includes(target)) {
      findings.push(error(language, target, 'unknown need'));
    }
  }
  for (const id of [...ids, ...SIGNALS]) {
    if (!targets.has(id)) findings.push(warning(language, id, 'no forms'));
  }
  return [...findings, ...checkClashes(language, forms)];
}

function checkClashes(language: string, forms: readonly WrittenForm[]): Finding[] {
  const findings: Finding[] = [];
  const owners = new Map<string, WrittenForm>();
  for (const form of forms) {
    if (form.target === '!polite') continue;
    const key = fold(form.form);
    const owner = owners.get(key);
    if (!owner) owners.set(key, form);
    else if (owner.target === form.target) {
      findings.push(warning(language, form.target, `form given twice: ${form.form}`));
    } else if (!owner.purpose && !form.purpose) {
      findings.push(warning(language, form.target, `${form.form} also means ${owner.target}`));
    }
  }
  return findings;
}

function error(language: string | null, need: string | null, message: string): Finding {
  return { level: 'error', language, need, message };
}

function warning(language: string | null, need: string | null, message: string): Finding {
  return { level: 'warning', language, need, message };
}
