import { upsertRecords } from '../../src/data/catalog/import.ts';
import type { Sql } from '../../src/data/connection/client.ts';
import type { FeedRecord } from '../../src/domain/catalog.ts';
import { FEED_KINDS } from '../../src/domain/catalog.ts';
import { makeRandom } from '../../src/sample/random.ts';

const OFFERS_PER_MERCHANT = 25;
const CHUNK = 5000;
const WORDS = (
  'tênis corrida feminino masculino couro algodão azul preto branco leve conforto casa cozinha panela ' +
  'fogão mesa cadeira livro caderno caneta bola bicicleta capacete pizza massa queijo tomate café pão ' +
  'bolo suco vinho cerveja shampoo sabonete perfume toalha lençol travesseiro lâmpada cabo fone celular'
).split(' ');
const DISTRICTS = ['Pinheiros', 'Mooca', 'Lapa', 'Santana', 'Bela Vista', 'Vila Mariana'];

/** A mall of so many offers, each about a product of its own: the records of a feed. */
export function* mallRecords(offers: number): Generator<FeedRecord> {
  const random = makeRandom(42);
  const pick = <T>(list: T[]) => list[Math.floor(random() * list.length)] as T;
  const words = (count: number) => Array.from({ length: count }, () => pick(WORDS)).join(' ');
  const sentence = (count: number) => `${words(count).replace(/^./, (c) => c.toUpperCase())}.`;
  const merchants = Math.max(1, Math.round(offers / OFFERS_PER_MERCHANT));
  for (let id = 1; id <= 60; id += 1) yield { kind: 'category', id, name: `Categoria ${id}` };
  for (let id = 1; id <= merchants; id += 1) {
    yield { kind: 'merchant', id, name: `Loja ${words(2)} ${id}` };
    yield {
      kind: 'store',
      id,
      merchant_id: id,
      name: `Loja ${id} ${pick(DISTRICTS)}`,
      address: `Rua ${words(2)}, ${1 + Math.floor(random() * 2000)}`,
      district: pick(DISTRICTS),
      city: 'São Paulo',
      state: 'SP',
      latitude: Number((-23.5 - random() / 10).toFixed(5)),
      longitude: Number((-46.6 - random() / 10).toFixed(5)),
    };
  }
  for (let id = 1; id <= offers; id += 1) {
    const merchant_id = 1 + (id % merchants);
    const amount = 1000 + Math.floor(random() * 50_000);
    const name = sentence(5);
    const media = [{ type: 'image' as const, url: `https://images.example/p/${id}.jpg` }];
    yield {
      kind: 'product',
      id,
      merchant_id,
      category_id: 1 + (id % 60),
      name,
      description: `${sentence(12)} ${sentence(14)}`,
      brand: pick(WORDS),
      price: { amount, currency: 'BRL' },
      media,
      updated_at: '2026-11-01T12:00:00Z',
    };
    yield {
      kind: 'offer',
      id,
      merchant_id,
      product_id: id,
      title: `${name} em oferta`,
      description: sentence(10),
      enriched_copy: `${sentence(12)} ${sentence(10)}`,
      ai_category: `Categoria ${1 + (id % 60)}`,
      quality_score: Number(random().toFixed(2)),
      price: { amount: Math.round(amount * 0.8), currency: 'BRL' },
      valid_from: '2026-11-01T03:00:00Z',
      valid_until: '2099-12-01T03:00:00Z',
      updated_at: '2026-11-01T12:00:00Z',
    };
  }
}

/** Fills an empty, migrated database with a mall. */
export async function generateMall(sql: Sql, offers: number): Promise<void> {
  for (const kind of FEED_KINDS) {
    let chunk: FeedRecord[] = [];
    for (const record of mallRecords(offers)) {
      if (record.kind === kind) chunk.push(record);
      if (chunk.length < CHUNK) continue;
      await upsertRecords(sql, kind, chunk);
      chunk = [];
    }
    await upsertRecords(sql, kind, chunk);
  }
  await sql`vacuum analyze`;
}

/** Changes the prices of offers spread over the whole catalog, as a feed would: of others each time. */
export async function changePrices(sql: Sql, count: number): Promise<void> {
  await sql`
    update offer set price_amount = price_amount + 1
    where id in (
      select id from offer, catalog_state order by md5(id || ' ' || version) limit ${count}
    )`;
}
