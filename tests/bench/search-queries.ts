import { makeRandom } from '../../src/sample/random.ts';
import { districts, EVERY_TITLE, type Vocabulary } from './mall.ts';

/** One search of a class: the tool's arguments, and the words of it for the peers. */
export type Search = { arguments: Record<string, unknown>; text: string };

/** A class of searches; `sorted` ones may take twice as long. */
export type QueryClass = { name: string; sorted?: boolean; make(): Search };

const TRANSLATED: [string, string][] = [
  ['running shoes', 'tênis de corrida'],
  ['headphones', 'fone de ouvido'],
  ['zapatos', 'calçados'],
  ['Kopfhörer', 'fone de ouvido'],
  ['chaise de bureau', 'cadeira de escritório'],
  ['自転車', 'bicicleta'],
];

/** The classes of queries: what people ask, from a word that one record has to one that all have. */
export function queryClasses({ needs, attributes, brands, models }: Vocabulary): QueryClass[] {
  const random = makeRandom(7);
  const one = <T>(list: T[], below = list.length) => list[Math.floor(random() * below)] as T;
  // Each in a few per cent of the titles up to a fifth, and in more of the descriptions.
  const common = () => one(needs, 4);
  const search = (text: string, more: object = {}): Search => ({
    arguments: { query: text, ...more },
    text,
  });
  const near = (radius_meters: number) => {
    const { latitude, longitude } = one(districts());
    return { latitude, longitude, radius_meters };
  };
  const typo = (word: string) => word.slice(0, 2) + word[3] + word[2] + word.slice(4);
  return [
    { name: 'rare term', make: () => search(one(models)) },
    { name: 'common term', make: () => search(common()) },
    { name: 'every-row term', make: () => search(EVERY_TITLE) },
    { name: 'two terms', make: () => search(`${common()} ${one(attributes, 20)}`) },
    { name: 'district', make: () => search(common(), { district: one(districts()).name }) },
    { name: 'radius 3 km', make: () => search(common(), near(3000)) },
    { name: 'radius 10 km', make: () => search(common(), near(10_000)) },
    { name: 'category', make: () => search(one(attributes, 20), { category: one(needs, 60) }) },
    { name: 'price range', make: () => search(common(), { min_price: 50, max_price: 300 }) },
    {
      name: 'no query',
      make: () => ({ arguments: { district: one(districts()).name }, text: '' }),
    },
    { name: 'typo', make: () => search(typo(one(brands, 100))) },
    { name: 'brand + model', make: () => search(`${one(brands, 100)} ${one(models)}`) },
    {
      name: 'other language',
      make: () => {
        const [text, portuguese] = one(TRANSLATED);
        return { arguments: { query: text }, text: portuguese };
      },
    },
    { name: 'by price', sorted: true, make: () => search(common(), { sort: 'price_asc' }) },
    {
      name: 'by distance',
      sorted: true,
      make: () => search(common(), { sort: 'distance', ...near(10_000) }),
    },
  ];
}
