import { describe, expect, it } from 'vitest';
import { pageMessages } from '../../src/live/search-page/messages.ts';
import { readPageQuery, searchPath } from '../../src/live/search-page/query.ts';

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
    const message =
      'Out of stock, and therefore left out: "Sopa wonton", "Pão". To see such products, pass in_stock_only: false.';
    expect(pageMessages([message])).toEqual([{ text: 'Esgotado no momento: Sopa wonton, Pão.' }]);
  });

  it.each([
    [
      '"Campinas" is a city of the catalog: to search there, pass city: "Campinas".',
      { city: 'Campinas', district: '' },
    ],
    [
      '"Pinheiros" is a district of São Paulo: to search there alone, pass district: "Pinheiros".',
      { city: 'São Paulo', district: 'Pinheiros' },
    ],
    [
      'The query speaks of a price: what keeps to it comes first; to leave out the rest, pass min_price: 20 and max_price: 59.9.',
      { minPrice: 20, maxPrice: 59.9 },
    ],
    [
      'The query speaks of a price: what keeps to it comes first; to leave out the rest, pass max_price: 100.',
      { minPrice: null, maxPrice: 100 },
    ],
    [
      'Nothing in Campinas, but elsewhere in the catalog: to search there, pass city: "São Paulo" or "Santos".',
      { city: 'São Paulo', district: '' },
    ],
  ])('%s: suggests a search', (message, query) => {
    const [shown] = pageMessages([message]);
    expect(shown?.link?.query).toEqual(query);
    expect(shown?.text).not.toMatch(/query|search|pass/);
  });

  it('are said once, and those for agents alone are left out', () => {
    const gift = 'Understood as a wish for a gift (a): things to give for that first.';
    expect(pageMessages([gift, gift, 'Something new that nobody translated.'])).toEqual([
      { text: 'Ideias de presente.' },
    ]);
  });
});
