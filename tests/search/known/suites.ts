import { makeRandom } from '../../../src/sample/random.ts';
import { hasDose, medicineOf } from './doses.ts';
import { mistype, type Random, sample } from './sampling.ts';
import { documentFrequencies, isSameWord, plain, titleKey, wordsOf } from './words.ts';

/** A query whose right answers are known from the titles alone. */
export type KnownCase = { query: string; wanted: string; isRight(title: string): boolean };

/** Queries of one kind; a case passes when `any` or `all` of its first results are right. */
export type KnownSuite = { name: string; first: number; right: 'any' | 'all'; cases: KnownCase[] };

/** How many queries a suite asks, and the seed they are drawn by. */
export type Draw = { cases: number; seed: number };

/** The longest query that the service takes. */
const LONGEST_QUERY = 400;
const RAREST = 3;
/** A word is searched alone if this many titles contain it, so that all of the first results can. */
const SAID_BY = 3;
const LEAST_MEDICINES = 30;
const WORD_ALONE = /^\p{L}{3,}$/u;

/** The known-item suites of a catalog's titles; those that it has no titles for are left out. */
export function knownSuites(titles: string[], { cases, seed }: Draw): KnownSuite[] {
  const distinct = distinctBy(
    titles.filter((title) => title.length <= LONGEST_QUERY && wordsOf(title).length > 0),
    titleKey,
  );
  const random = () => makeRandom(seed);
  const drawn = sample(distinct, cases, random());
  const suites: KnownSuite[] = [
    { name: 'exact title, first', first: 1, right: 'any', cases: drawn.map(exactTitle) },
    {
      name: 'title in lower case without accents, first',
      ...{ first: 1, right: 'any' },
      cases: drawn.map((title) => ({ ...exactTitle(title), query: plain(title) })),
    },
    {
      name: 'title with a typo, among 3',
      ...{ first: 3, right: 'any' },
      cases: mistyped(drawn, random()),
    },
    {
      name: 'three rarest words, among 3',
      ...{ first: 3, right: 'any' },
      cases: sample(rarestWords(distinct), cases, random()),
    },
    {
      name: 'single word, first 3 all say it',
      ...{ first: 3, right: 'all' },
      cases: sample(singleWords(distinct), cases, random()),
    },
    {
      name: 'substance and dose, among 3',
      ...{ first: 3, right: 'any' },
      cases: sample(medicines(distinct), cases, random()),
    },
  ];
  return suites.filter((suite) => suite.cases.length > 0);
}

/** True when the first results are as the suite wants them. */
export function passes({ first, right }: KnownSuite, one: KnownCase, titles: string[]): boolean {
  const head = titles.slice(0, first);
  return right === 'any'
    ? head.some((title) => one.isRight(title))
    : head.length === first && head.every((title) => one.isRight(title));
}

function exactTitle(title: string): KnownCase {
  const key = titleKey(title);
  return { query: title, wanted: title, isRight: (other) => titleKey(other) === key };
}

function mistyped(titles: string[], random: Random): KnownCase[] {
  return titles.flatMap((title) => {
    const query = mistype(title, random);
    return query === null ? [] : [{ ...exactTitle(title), query }];
  });
}

function rarestWords(titles: string[]): KnownCase[] {
  const counts = documentFrequencies(titles);
  const cases = titles.flatMap((title) => {
    const words = [...new Set(wordsOf(title))].filter((word) => word.length >= 2);
    if (words.length < RAREST) return [];
    const rarest = words
      .toSorted((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0))
      .slice(0, RAREST);
    const query = words.filter((word) => rarest.includes(word)).join(' ');
    return [{ query, wanted: title, isRight: (other: string) => says(other, rarest) }];
  });
  return distinctBy(cases, ({ query }) => query);
}

function says(title: string, words: string[]): boolean {
  const said = new Set(wordsOf(title));
  return words.every((word) => said.has(word));
}

function singleWords(titles: string[]): KnownCase[] {
  return [...documentFrequencies(titles)]
    .filter(([word, count]) => count >= SAID_BY && WORD_ALONE.test(word))
    .map(([word, count]) => ({
      query: word,
      wanted: `any of ${count} titles that say it`,
      isRight: (title) => wordsOf(title).some((other) => isSameWord(other, word)),
    }));
}

function medicines(titles: string[]): KnownCase[] {
  const found = titles.flatMap((title) => {
    const medicine = medicineOf(title);
    if (medicine === null) return [];
    const { substance, number, unit } = medicine;
    const query = `${substance} ${number} ${unit}`.toLowerCase();
    return [{ query, wanted: title, isRight: (other: string) => hasDose(other, medicine) }];
  });
  return found.length < LEAST_MEDICINES ? [] : distinctBy(found, ({ query }) => query);
}

function distinctBy<T>(list: T[], key: (one: T) => string): T[] {
  return [...new Map(list.map((one) => [key(one), one])).values()];
}
