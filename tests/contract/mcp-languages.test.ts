import { describe, expect, it } from 'vitest';
import { searchOffers, searchProducts } from '../support/mcp.ts';
import { sharedService } from '../support/service.ts';

const { url } = sharedService();

/** A query as a person asks it, and what one of the first three products must be. */
const QUERIES: [query: string, expected: RegExp][] = [
  ['zapatillas para correr', /tênis de corrida/i],
  ['running shoes', /tênis de corrida/i],
  ['chaussures de course', /tênis de corrida/i],
  ['scarpe da corsa', /tênis de corrida/i],
  ['ランニングシューズ', /tênis de corrida/i],
  ['remédio para dor de cabeça', /paracetamol|dipirona/i],
  ['medicine for headache', /paracetamol|dipirona/i],
  ['medicina para el dolor de cabeza', /paracetamol|dipirona/i],
  ['médicament contre le mal de tête', /paracetamol|dipirona/i],
  ['dog food', /ração.*(cachorro|cães)/i],
  ['犬の餌', /ração.*(cachorro|cães)/i],
  ['강아지 사료', /ração.*(cachorro|cães)/i],
  ['寿司', /sushi/i],
  ['手机壳', /capinha/i],
  ['phone case for iphone', /capinha/i],
  ['nappies for my baby', /fralda/i],
  ['赤ちゃんのおむつ', /fralda/i],
  ['réfrigérateur', /geladeira/i],
  ['корм для собак', /ração.*(cachorro|cães)/i],
  ['лекарство от головной боли', /paracetamol|dipirona/i],
  ['buzdolabı', /geladeira/i],
  ['Kopfschmerztabletten', /paracetamol|dipirona/i],
  ['Laufschuhe', /tênis de corrida/i],
  ['Handyhülle', /capinha/i],
  ['hondenvoer', /ração.*(cachorro|cães)/i],
  ['buty do biegania', /tênis de corrida/i],
  ['حذاء جري', /tênis de corrida/i],
  ['कुत्ते का खाना', /ração.*(cachorro|cães)/i],
  ['รองเท้าวิ่ง', /tênis de corrida/i],
  ['giày chạy bộ', /tênis de corrida/i],
  ['sepatu lari', /tênis de corrida/i],
  ['pantofi de alergare', /tênis de corrida/i],
  ['screen repair iphone', /troca de tela/i],
  ['suco de limão', /suco de limão/i],
];

describe('a query in any language, untranslated', () => {
  it.each(QUERIES)('"%s" finds the product among the first three', async (query, expected) => {
    const { products } = await searchProducts(url, { query, limit: 3 });
    expect(products.map(({ name }) => name).join(' | ')).toMatch(expected);
  });

  it('is turned into catalog concepts in Brazilian Portuguese', async () => {
    const { interpretation } = await searchProducts(url, { query: 'running shoes' });
    expect(interpretation).toMatchObject({ concepts: ['tênis de corrida'], unmatched_terms: [] });
    expect((await searchProducts(url, { query: '犬の餌' })).interpretation.language).toBe('ja');
  });

  it('finds offers as well', async () => {
    const { offers } = await searchOffers(url, { query: 'running shoes', limit: 3 });
    expect(offers.map(({ title }) => title).join(' | ')).toMatch(/corrida/i);
  });
});

describe('items and their accessories', () => {
  it.each([
    ['iphone 15', /^iphone/i],
    ['capinha de iphone', /^capinha/i],
    ['carrinho de bebê', /^carrinho/i],
    ['mesa de jantar', /^mesa de jantar/i],
    ['mesa de som', /^mesa de som/i],
    ['impressora', /^impressora/i],
    ['cartucho de impressora', /cartucho|toner/i],
    ['ração para gato', /gato/i],
  ])('"%s" puts the thing itself first', async (query, expected) => {
    const { products } = await searchProducts(url, { query, limit: 3 });
    expect(products[0]?.name).toMatch(expected);
  });
});

describe('the category fallback', () => {
  it('steps in when nothing matches the concepts, says so, and keeps the location', async () => {
    const answer = await searchProducts(url, {
      query: 'violin',
      district: 'Pinheiros',
      limit: 5,
    });
    if (answer.fallback !== null) {
      expect(answer.messages.join(' ')).toMatch(/nearest category/);
      expect(answer.products.every(({ match }) => match === 'category_fallback')).toBe(true);
    }
    expect(answer.products.every((p) => p.nearest_store?.district === 'Pinheiros')).toBe(true);
    const anywhere = await searchProducts(url, { query: 'violin' });
    expect(anywhere.fallback).toMatchObject({ type: 'category' });
    expect(anywhere.products.length).toBeGreaterThan(0);
    expect(anywhere.products.every((p) => p.nearest_store?.city === 'São Paulo')).toBe(true);
  });

  it('does not replace a category that the caller named', async () => {
    const answer = await searchProducts(url, { query: 'violin', category: 'Livros' });
    expect(answer.products).toEqual([]);
    expect(answer.fallback).toBeNull();
  });
});
