import type { WantIndex, Wishes, WishRow } from '../lexicon-types.ts';
import { tokenize } from '../text/tokenize.ts';
import { indexExclusions } from './exclusion-words.ts';
import { indexLanguage } from './index-forms.ts';
import { parseForms, type WrittenForm } from './sources.ts';

/** Line types of `lexicon/wishes/` that are indexed as forms. */
const TARGETS: ReadonlySet<string> = new Set([
  '!offers',
  '!any',
  '!food',
  '!followup',
  '!and',
  '!likes',
  '!her',
  '!him',
]);

/**
 * Indexes the forms of bare wishes and the table of needs that serve them. The index is separate, so that common
 * words ("another") do not compete with the names of things.
 */
export function indexWishes(forms: ReadonlyMap<string, string>, table: string): Wishes {
  const lines = new Map([...forms].map(([language, text]) => [language, parseForms(text).forms]));
  const languages = [...lines].map(([language, written]) => {
    const wishes = written.filter(({ target }) => TARGETS.has(target));
    return [language, indexLanguage(language, wishes, new Set())] as const;
  });
  return {
    languages: new Map(languages),
    table: parseTable(table),
    exclusions: indexExclusions(lines),
    wants: indexWants(lines),
  };
}

/** Indexes the `!want` lines of `wishes/` by language and first word. */
function indexWants(lines: ReadonlyMap<string, readonly WrittenForm[]>): WantIndex {
  return new Map(
    [...lines].map(([language, forms]) => {
      const phrases = forms
        .filter(({ target }) => target === '!want')
        .map(({ form }) => tokenize(form).map((unit) => unit.text));
      return [language, Map.groupBy(phrases, ([first = '']) => first)];
    }),
  );
}

function parseTable(text: string): WishRow[] {
  return text
    .split(/\r?\n/)
    .slice(1)
    .flatMap((line) => {
      const [wish, of, label, needs] = line.split('\t');
      if (!wish || !of || !label || !needs) return [];
      return { wish, of: of === '-' ? [] : of.split(' '), label, needs: needs.trim().split(' ') };
    });
}
