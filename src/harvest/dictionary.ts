import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Where Debian's bilingual dictionaries (`dict-freedict-…`) are installed. */
const FOLDER = '/usr/share/dictd';

/** Our language codes to the dictionaries' (ISO 639-3). */
const CODES: Record<string, string> = {
  ...{ ar: 'ara', bg: 'bul', cs: 'ces', da: 'dan', de: 'deu', el: 'ell', es: 'spa', fi: 'fin' },
  ...{ fr: 'fra', hi: 'hin', hr: 'hrv', hu: 'hun', id: 'ind', it: 'ita', ja: 'jpn', lt: 'lit' },
  ...{ nb: 'nor', nl: 'nld', pl: 'pol', pt: 'por', ru: 'rus', sk: 'slk', sl: 'slv', sr: 'srp' },
  ...{ sv: 'swe', sw: 'swh', tr: 'tur' },
};

/** Looks up the lower-cased translations of a word as written. */
export type Dictionary = { translations(word: string): string[] };

/** The dictionaries between a language and English, null if not installed, and the names of their packages. */
export type Dictionaries = {
  toEnglish: Dictionary | null;
  fromEnglish: Dictionary | null;
  packages: string[];
};

/** Opens the dictionaries of a language; null if no package exists for it. */
export function openDictionaries(language: string): Dictionaries | null {
  const code = CODES[language];
  if (code === undefined) return null;
  const pairs = [`${code}-eng`, `eng-${code}`];
  const [toEnglish = null, fromEnglish = null] = pairs.map(openDictionary);
  return { toEnglish, fromEnglish, packages: pairs.map((pair) => `dict-freedict-${pair}`) };
}

/** Opens a dictd dictionary: an index of headwords and compressed articles. */
function openDictionary(pair: string): Dictionary | null {
  const path = join(FOLDER, `freedict-${pair}`);
  if (!existsSync(`${path}.index`)) return null;
  const articles = gunzipSync(readFileSync(`${path}.dict.dz`));
  const articlesOf = new Map<string, [start: number, length: number][]>();
  for (const line of readFileSync(`${path}.index`, 'utf8').split('\n')) {
    const [word, start, length] = line.split('\t');
    if (!word || start === undefined || length === undefined || word.startsWith('00-')) continue;
    const key = word.toLowerCase();
    const known = articlesOf.get(key);
    const range: [number, number] = [numberOf(start), numberOf(length)];
    if (known === undefined) articlesOf.set(key, [range]);
    else known.push(range);
  }
  return {
    translations: (word) =>
      (articlesOf.get(word.toLowerCase()) ?? []).flatMap(([start, length]) =>
        translationsIn(articles.toString('utf8', start, start + length)),
      ),
  };
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

const numberOf = (text: string) =>
  [...text].reduce((number, digit) => number * 64 + DIGITS.indexOf(digit), 0);

/** Extracts the translations from an article, without headword, examples, notes and grammar. */
function translationsIn(article: string): string[] {
  return article
    .split('\n')
    .slice(1)
    .filter((line) => !/^\s*"|^\s+\S+:|^--/.test(line))
    .flatMap((line) =>
      line
        .replace(/<[^>]*>|\[[^\]]*\]|\([^)]*\)/g, ' ')
        .replace(/^\s*\d+\.\s*/, '')
        .split(/[,;]/),
    )
    .map((word) => word.replace(/~/g, ' ').replace(/\s+/g, ' ').trim().toLowerCase())
    .filter((word) => word !== '' && word.length <= 40);
}
