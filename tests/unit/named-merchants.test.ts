import { describe, expect, it } from 'vitest';
import { nameKey } from '../../src/domain/places.ts';
import { loadLexicon } from '../../src/understand/lexicon/lexicon.ts';
import { indexMerchants } from '../../src/understand/mentions/merchant-index.ts';
import { indexPlaces, NOWHERE } from '../../src/understand/mentions/places.ts';
import { understand } from '../../src/understand/query.ts';

const lexicon = loadLexicon();
const NAMES = [
  ...['Drogaria Vida Clara', 'Padaria Estrela', 'Posto Boa Estrela', 'Farmácia', 'Liberdade'],
  ...[
    'Casa do Pão',
    'Pizzaria Bella Napoli',
    'Zelinda',
    'Zelinda',
    'Loja 24',
    'Oi',
    'さくら書店',
    'Cerva do Refri',
  ],
];
const merchants = indexMerchants(
  NAMES.map((name, place) => ({ id: place + 1, name, key: nameKey(name) })),
);
const known = indexPlaces([
  { kind: 'city', name: 'São Paulo', city: 'São Paulo' },
  { kind: 'district', name: 'Liberdade', city: 'São Paulo' },
  { kind: 'district', name: 'Vila Mariana', city: 'São Paulo' },
]);
const ask = (query: string) => understand(query, lexicon, { ...NOWHERE, known, merchants });
const namesIn = (query: string) => ask(query).merchants.map(({ name }) => name);
/** What a query asks for, but for the title that it is as a whole. */
const wanted = (query: string) => ask(query).clauses;

describe('merchants in the words of a query', () => {
  it.each([
    ['pizza na Drogaria Vida Clara', 'pizza', 'Drogaria Vida Clara'],
    ['pizza from Bella Napoli', 'pizza', 'Pizzaria Bella Napoli'],
    ['pizza, drogaria vida clara', 'pizza', 'Drogaria Vida Clara'],
    ['bolo na Casa do Pão', 'bolo', 'Casa do Pão'],
    ['bolo da loja Liberdade', 'bolo', 'Liberdade'],
    ['bolo na Zelinda', 'bolo', 'Zelinda'],
    ['さくら書店で本', '本', 'さくら書店'],
    ['batata na Cerva do Refri', 'batata', 'Cerva do Refri'],
  ])('"%s" asks for "%s"', (query, rest, name) => {
    expect(namesIn(query)).toEqual([name]);
    expect(wanted(query)).toEqual(wanted(rest));
  });

  it('are all of one name', () => {
    expect(ask('bolo na Zelinda').merchants).toEqual([
      { name: 'Zelinda', ids: [8, 9], isSure: true },
    ]);
  });

  it.each([
    ['farmácia na Vila Mariana'],
    ['casa do pão'],
    ['bolo na Estrela'],
    ['remédio na farmácia'],
    ['sushi na Liberdade'],
    ['Drogaria Vida'],
    ['pizza vida clara'],
    ['oi, tem pizza?'],
    ['pizza da Bela Napoli'],
  ])('"%s" names none', (query) => {
    expect(namesIn(query)).toEqual([]);
  });

  it('of a word that may be a brand leave it among the words', () => {
    const { merchants: named, clauses } = ask('camiseta da Zelinda');
    expect(named).toMatchObject([{ name: 'Zelinda', isSure: false }]);
    expect(clauses.map(({ label }) => label)).toContain('zelinda');
    expect(ask('Zelinda').clauses).toEqual([]);
  });

  it('and nothing else ask for nothing in particular', () => {
    for (const query of ['o que tem na Padaria Estrela?', 'what does Bella Napoli have in store']) {
      expect(wanted('Padaria Estrela')).toEqual([]);
      if (query.startsWith('o que')) expect(wanted(query)).toEqual([]);
    }
  });
});

describe('words that may be mistyped', () => {
  it.each([
    ['chocollatex', ['chocollatex']],
    ['hamburger', []],
    ['café na Vila Madalena', []],
    ['pizza da Bella Napole', ['napole']],
    ['тетрадъ', []],
  ])('of "%s"', (query, terms) => {
    expect(ask(query).unexplained).toEqual(terms);
  });
});
