import { fold } from './normalize.ts';
import { parseForms, parseNeeds, type WrittenForm } from './sources.ts';
import type { Sources } from './types.ts';

/** What is wrong with the lexicon's files; an error must be mended, a warning may be meant. */
export type Finding = {
  level: 'error' | 'warning';
  language: string | null;
  need: string | null;
  message: string;
};

const SIGNALS = ['!cheap', '!near', '!open', '!delivery', '!gift', '!polite'];

/** Checks needs and forms: unknown and doubled ids, unreadable lines, gaps, repeats, clashes. */
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
