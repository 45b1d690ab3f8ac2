import { describe, expect, it } from 'vitest';
import { pageMessages } from '../../src/live/search-page/messages.ts';
import { readPageQuery, searchPath } from '../../src/live/search-page/query.ts';
import type { SearchMessage } from '../../src/search/messages.ts';

const read = (search: string) => readPageQuery(new URLSearchParams(search));

describe('the address of a search page', () => {
  it('says words, place, prices as people write them, and the order', () => {
    expect(
      read('q=+t%C3%AAnis++azul&cidade=Santos&min=R$+1.299,90&max=60&ordem=menor-preco'),
    ).toEqual({
      words: 'tênis azul',
      city: 'Santos',
      district: '',
      // Exchanged, they are put right.
      minPrice: 60,
      maxPrice: 1299.9,
      sort: 'menor-preco',
    });
  });

  it('leaves out what cannot be read', () => {
    expect(read('q=x&min=abc&max=-1&ordem=constructor')).toEqual(read('q=x'));
  });

  it('is made from what it says', () => {
    const query = read('q=a%26b&bairro=Pinheiros&max=10,50&ordem=maior-preco');
    expect(searchPath(query)).toBe('/buscar?q=a%26b&bairro=Pinheiros&max=10.5&ordem=maior-preco');
    expect(read(searchPath(query).slice(8))).toEqual(query);
  });
});

describe('messages of the search in Portuguese', () => {
  it('name what is out of stock', () => {
    const products = ['Sopa wonton', 'Pão'];
    expect(pageMessages([{ kind: 'out-of-stock', products }])).toEqual([
      { text: 'Esgotado no momento: Sopa wonton, Pão.' },
    ]);
  });

  it.each<[SearchMessage, object]>([
    [
      { kind: 'city-mentioned', city: 'Campinas', isSearched: false },
      { city: 'Campinas', district: '' },
    ],
    [
      {
        kind: 'district-mentioned',
        district: 'Pinheiros',
        city: 'São Paulo',
        isUsual: true,
        isPreferred: true,
      },
      { city: 'São Paulo', district: 'Pinheiros' },
    ],
    [
      { kind: 'price-mentioned', price: { min: 20, max: 59.9, isForeign: false } },
      { minPrice: 20, maxPrice: 59.9 },
    ],
    [
      { kind: 'price-mentioned', price: { min: null, max: 100, isForeign: false } },
      { minPrice: null, maxPrice: 100 },
    ],
    [
      { kind: 'other-cities', city: 'Campinas', cities: ['São Paulo', 'Santos'] },
      { city: 'São Paulo', district: '' },
    ],
  ])('%o: suggests a search', (message, query) => {
    const [shown] = pageMessages([message]);
    expect(shown?.link?.query).toEqual(query);
    expect(shown?.text).not.toMatch(/query|search|pass/);
  });

  it('are said once, and those for agents alone are left out', () => {
    const gift: SearchMessage = { kind: 'gift-wished', concepts: ['a'] };
    expect(pageMessages([gift, gift, { kind: 'unknown-merchant-id', id: 7 }])).toEqual([
      { text: 'Ideias de presente.' },
    ]);
  });
});
