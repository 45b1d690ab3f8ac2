import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Where Debian's packages of bilingual dictionaries (`dict-freedict-…`) put them. */
const FOLDER = '/usr/share/dictd';

/** What the dictionaries' names call our languages (ISO 639-3). */
const CODES: Record<string, string> = {
  ...{ ar: 'ara', bg: 'bul', cs: 'ces', da: 'dan', de: 'deu', el: 'ell', es: 'spa', fi: 'fin' },
  ...{ fr: 'fra', hi: 'hin', hr: 'hrv', hu: 'hun', id: 'ind', it: 'ita', ja: 'jpn', lt: 'lit' },
  ...{ nb: 'nor', nl: 'nld', pl: 'pol', pt: 'por', ru: 'rus', sk: 'slk', sl: 'slv', sr: 'srp' },
  ...{ sv: 'swe', sw: 'swh', tr: 'tur' },
};

/** Translations of a word as it is written, in lower case. */
export type Dictionary = { translations(word: string): string[] };

/** The dictionaries between a language and English that are installed, and the package of one that is not. */
export type Dictionaries = {
  toEnglish: Dictionary | null;
  fromEnglish: Dictionary | null;
  packages: string[];
};

/** Opens the dictionaries of a language; null if no package has any. */
export function openDictionaries(language: string): Dictionaries | null {
  const code = CODES[language];
  if (code === undefined) return null;
  const pairs = [`${code}-eng`, `eng-${code}`];
  const [toEnglish = null, fromEnglish = null] = pairs.map(openDictionary);
  return { toEnglish, fromEnglish, packages: pairs.map((pair) => `dict-freedict-${pair}`) };
}

/** Opens a dictionary in the format of dictd: an index of headwords, and compressed articles. */
function openDictionary(pair: string): Dictionary | null {
  const path = join(FOLDER, `freedict-${pair}`);
  if (!existsSync(`${path}.index`)) return null;
  const articles = gunzipSync(readFileSync(`${path}.dict.dz`));
  const places = new Map<string, [number, number][]>();
  for (const line of readFileSync(`${path}.index`, 'utf8').split('\n')) {
    const [word, start, length] = line.split('\t');
    if (!word || start === undefined || length === undefined || word.startsWith('00-')) continue;
    const key = word.toLowerCase();
    const known = places.get(key);
    const place: [number, number] = [numberOf(start), numberOf(length)];
    if (known === undefined) places.set(key, [place]);
    else known.push(place);
  }
  return {
    translations: (word) =>
      (places.get(word.toLowerCase()) ?? []).flatMap(([start, length]) =>
        translationsIn(articles.toString('utf8', start, start + length)),
      ),
  };
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

const numberOf = (text: string) =>
  [...text].reduce((number, digit) => number * 64 + DIGITS.indexOf(digit), 0);

/** The words of an article below its headword, without examples, notes and grammar. */
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
