import { readFileSync } from 'node:fs';
import { LEAST_FORM } from '../../domain/relevance.ts';
import type { Lexicon } from '../lexicon-types.ts';
import type { Candidate } from '../reading/find.ts';
import { ancestorsOf } from '../reading/parts.ts';
import { stemPortuguese } from '../text/stem.ts';
import { tokenize, type Unit } from '../text/tokenize.ts';
import type { Diet, Name } from '../types.ts';

/** A match at the units [`from`, `to`). */
export type Match = { from: number; to: number };

const FILE = new URL('../lexicon/diets.txt', import.meta.url);

let read: ReadonlyMap<string, Diet> | null = null;

/** Returns the diets of the lexicon by id, in the order of the file. */
export function knownDiets(): ReadonlyMap<string, Diet> {
  read ??= parseDiets(readFileSync(FILE, 'utf8'));
  return read;
}

/** Parses `diets.txt`. */
export function parseDiets(text: string): Map<string, Diet> {
  const diets = new Map<string, Diet>();
  for (const block of text.split(/^(?=\[)/m).slice(1)) {
    const [, id = '', tells = '', label = ''] = /^\[(.+)\] (.+) \| (.+)$/m.exec(block) ?? [];
    const line = (name: string) =>
      new RegExp(`^${name}: (.+)$`, 'm').exec(block)?.[1]?.split(/,\s*/) ?? [];
    const words = (name: string) => (line(name)[0] ?? '').split(' ').filter(Boolean);
    diets.set(id, {
      ...{ id, tells, label, needs: words('need'), parts: words('parts') },
      says: [...words('need'), ...words('says')],
      names: line('pt').map(readName),
      foreign: line('is').map(readName),
      foods: line('in').map(readName),
      except: line('except').map(readName),
    });
  }
  return diets;
}

function readName(written: string): Name {
  if (written.startsWith('c:')) return { need: written.slice(2) };
  return { words: tokenize(written).map(({ text }) => text), open: written.endsWith('*') };
}

/** Finds names in a text by words, then by the needs among its candidates. */
export function findNames(
  names: readonly Name[],
  units: readonly Unit[],
  candidates: readonly Candidate[],
  lexicon: Lexicon,
): Match[] {
  const index = indexed(names);
  return [...findWords(index, units), ...findNeeds(index, candidates, lexicon)];
}

/** Names by need, by the stem of the first word, and one-word prefixes. */
type NameIndex = { needs: ReadonlySet<string>; words: ReadonlyMap<string, Words[]>; open: Words[] };
type Words = Extract<Name, { words: unknown }>;

const indexes = new WeakMap<readonly Name[], NameIndex>();

function indexed(names: readonly Name[]): NameIndex {
  const known = indexes.get(names);
  if (known !== undefined) return known;
  const words = names.flatMap((name) => ('words' in name && name.words.length > 0 ? name : []));
  const isStart = (name: Words) => name.open && name.words.length === 1;
  const index = {
    needs: new Set(names.flatMap((name) => ('need' in name ? name.need : []))),
    words: Map.groupBy(
      words.filter((name) => !isStart(name)),
      (name) => stemPortuguese(name.words[0] ?? ''),
    ),
    open: words.filter(isStart),
  };
  indexes.set(names, index);
  return index;
}

function findNeeds(
  { needs }: NameIndex,
  candidates: readonly Candidate[],
  lexicon: Lexicon,
): Match[] {
  if (needs.size === 0) return [];
  const isNamed = (id: string) =>
    needs.has(id) || ancestorsOf(id, lexicon).some((broader) => needs.has(broader));
  return candidates
    .filter(({ entry, quality }) => !entry.purpose && quality >= LEAST_FORM.sure)
    .filter(({ entry }) => lexicon.needs.has(entry.target) && isNamed(entry.target))
    .map(({ at }) => ({ from: at[0] ?? 0, to: (at.at(-1) ?? 0) + 1 }));
}

function findWords({ words, open }: NameIndex, units: readonly Unit[]): Match[] {
  const isWord = (word: string, unit: Unit | undefined) =>
    unit !== undefined && (unit.text === word || (unit.spaced && sameStem(unit.text, word)));
  return units.flatMap((unit, from) => {
    const fits = (name: Words) =>
      name.words.every((word, position) => {
        const isOpen = name.open && position === name.words.length - 1;
        const next = units[from + position];
        return isOpen ? next?.text.startsWith(word) === true : isWord(word, next);
      });
    const named = [
      ...(words.get(stemPortuguese(unit.text)) ?? []).filter(fits),
      ...open.filter(({ words: [word = ''] }) => unit.text.startsWith(word)),
    ];
    return named.map((name) => ({ from, to: from + name.words.length }));
  });
}

const sameStem = (a: string, b: string) => stemPortuguese(a) === stemPortuguese(b);
