import { readFileSync } from 'node:fs';
import type { Sql } from '../../src/data/connection/client.ts';
import { nameKey, placeKey } from '../../src/domain/places.ts';
import { makeRandom } from '../../src/sample/random.ts';
import { readSources } from '../../src/understand/lexicon/lexicon.ts';

/** How large the synthetic mall is. */
export type MallSize = { products: number; merchants: number; offers: number };

/** The words that the mall is written with, the most frequent first. */
export type Vocabulary = {
  needs: string[];
  attributes: string[];
  brands: string[];
  models: string[];
};

/** The most frequent ones: always the same, so that a larger lexicon does not change what is asked. */
const MOST_COMMON = ['calculadora', 'batata', 'açúcar', 'temperos'];
/** In every title. */
export const EVERY_TITLE = 'vitrinal';

const CATEGORIES = 120;
const MODELS = 30_000;
const SYLLABLES = 'ba ce di fo gu la me ni po ru sa te vi zo cha lha nho bra cri dre fla'.split(
  ' ',
);

const random = makeRandom(42);
/** One of a list, the first ones far more often. */
const skewed = <T>(list: T[], power = 4) => list[Math.floor(list.length * random() ** power)] as T;
const whole = (from: number, below: number) => from + Math.floor(random() * (below - from));

/** The vocabulary: what the lexicon calls things in Portuguese, and invented brands and models. */
export function makeVocabulary(): Vocabulary {
  const needs: string[] = [];
  const attributes: string[] = [];
  for (const line of readSources().needs.trim().split('\n').slice(1)) {
    const [, label = '', , kind = ''] = line.split('\t');
    if (kind === 'item' || kind === 'dish') needs.push(label);
    if (kind === 'attribute') attributes.push(label);
  }
  const invent = (syllables: number) =>
    Array.from({ length: syllables }, () => SYLLABLES[whole(0, SYLLABLES.length)]).join('');
  const unique = (count: number, make: () => string) => {
    const all = new Set<string>();
    while (all.size < count) all.add(make());
    return [...all];
  };
  const others = needs.filter((need) => !MOST_COMMON.includes(need)).sort(() => random() - 0.5);
  return {
    needs: [...MOST_COMMON, ...others],
    attributes,
    brands: unique(400, () => invent(3)),
    models: unique(MODELS, () => `${invent(2)}${whole(10, 1000)}`),
  };
}

type Row = (string | number | boolean | null)[];

async function copy(sql: Sql, table: string, columns: string, rows: Iterable<Row>): Promise<void> {
  const stream = await sql.unsafe(`copy ${table} (${columns}) from stdin`).writable();
  let lines = '';
  for (const row of rows) {
    lines += `${row.map((value) => (value === null ? '\\N' : String(value))).join('\t')}\n`;
    if (lines.length < 1 << 20) continue;
    if (!stream.write(lines)) await new Promise((ready) => stream.once('drain', ready));
    lines = '';
  }
  await new Promise<void>((done, fail) => {
    stream.once('error', fail).end(lines, done);
  });
}

/** The centres of the districts of São Paulo. */
export function districts(): { name: string; latitude: number; longitude: number }[] {
  const text = readFileSync(new URL('districts-sao-paulo.csv', import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [name = '', latitude, longitude] = line.split(',');
      return { name, latitude: Number(latitude), longitude: Number(longitude) };
    });
}

/** Fills an empty, migrated database with a mall whose words, merchants and prices are skewed. */
export async function generateMall(
  sql: Sql,
  { products, merchants, offers }: MallSize,
  words: Vocabulary,
): Promise<void> {
  const { needs } = words;
  const names = needs.slice(0, CATEGORIES);
  await copy(
    sql,
    'category',
    'id, name, name_key',
    names.map((name, place) => [place + 1, name, nameKey(name)]),
  );
  const ids = Array.from({ length: merchants }, (_, place) => place + 1);
  await copy(
    sql,
    'merchant',
    'id, name, name_key',
    ids.map((id) => [id, `Loja ${id}`, `loja ${id}`]),
  );
  await copy(
    sql,
    'store',
    'id, merchant_id, name, address, district, city, latitude, longitude, city_key, district_key',
    stores(ids),
  );
  await copy(
    sql,
    'product',
    'id, merchant_id, category_id, name, description, brand, price_amount, price_currency, in_stock, media, updated_at',
    productRows(products, ids, words),
  );
  await copy(
    sql,
    'offer',
    'id, merchant_id, product_id, title, description, quality_score, price_amount, price_currency, media, valid_until, status, app_only_top, updated_at',
    offerRows(offers, ids, products, words),
  );
  await sql`vacuum analyze`;
}

function* stores(merchants: number[]): Generator<Row> {
  const places = districts();
  let id = 0;
  for (const merchant of merchants) {
    for (let count = random() < 0.15 ? 3 : 1; count > 0; count -= 1) {
      const { name, latitude, longitude } = skewed(places, 1.6);
      const near = () => (random() + random() - 1) * 0.02;
      id += 1;
      yield [
        ...[id, merchant, `Loja ${merchant}`, 'Rua Um, 1', name, 'São Paulo'],
        ...[latitude + near(), longitude + near(), placeKey('São Paulo'), placeKey(name)],
      ];
    }
  }
}

function describe(words: Vocabulary): string {
  const parts = Array.from({ length: 8 }, () =>
    random() < 0.4 ? skewed(words.needs) : skewed(words.attributes, 2),
  );
  return `Produto com garantia. ${parts.join(' e ')} ${skewed(words.models, 1)}.`;
}

const price = () => Math.round(Math.exp(4.2 + random() * 3 + random() * 3) * 10);
const instant = () => new Date(Date.UTC(2026, 0, 1) + whole(0, 300) * 86_400_000).toISOString();

function* productRows(count: number, merchants: number[], words: Vocabulary): Generator<Row> {
  for (let id = 1; id <= count; id += 1) {
    const need = skewed(words.needs);
    const brand = skewed(words.brands);
    const attribute = random() < 0.6 ? ` ${skewed(words.attributes, 2)}` : '';
    const category = 1 + (words.needs.indexOf(need) % CATEGORIES);
    const media = random() < 0.85 ? '[{"type":"image","url":"https://x.example/1.jpg"}]' : '[]';
    yield [
      ...[id, skewed(merchants, 2), category],
      `${need}${attribute} ${brand} ${skewed(words.models, 1)} ${EVERY_TITLE}`,
      random() < 0.9 ? describe(words) : null,
      ...[brand, random() < 0.96 ? price() : null, 'BRL', random() < 0.85, media, instant()],
    ];
  }
}

function* offerRows(
  count: number,
  merchants: number[],
  products: number,
  words: Vocabulary,
): Generator<Row> {
  for (let id = 1; id <= count; id += 1) {
    yield [
      ...[id, skewed(merchants, 2), random() < 0.7 ? whole(1, products + 1) : null],
      `Promoção de ${skewed(words.needs)} ${skewed(words.brands)}`,
      ...[describe(words), random().toFixed(3), price(), 'BRL', '[]'],
      random() < 0.1 ? '2026-01-01T00:00:00Z' : null,
      ...['active', false, instant()],
    ];
  }
}
