import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentMessage } from '../../src/live/mcp/messages.ts';
import { searchText } from '../../src/live/records/list-text.ts';
import { mentionMessages } from '../../src/search/mentions.ts';
import { loadLexicon } from '../../src/understand/lexicon/lexicon.ts';
import { indexPlaces } from '../../src/understand/mentions/places.ts';
import { understand } from '../../src/understand/query.ts';
import type { Place } from '../../src/understand/types.ts';

const lexicon = loadLexicon();
const DISTRICTS = [
  ...['Pinheiros', 'Alto de Pinheiros', 'Vila Mariana', 'Jardim Paulista', 'Bom Retiro', 'Sé'],
  ...['Saúde', 'Limão', 'Liberdade', 'Consolação', 'Luz', 'Perus', 'Brás', 'Moema', 'Penha'],
];
const CITIES = ['São Paulo', 'Campinas', 'Natal', 'Santos', 'Ouro Preto', 'Rio de Janeiro'];
const known = indexPlaces(
  [
    ...CITIES.map((name): Place => ({ kind: 'city', name, city: name })),
    ...DISTRICTS.map((name): Place => ({ kind: 'district', name, city: 'São Paulo' })),
    { kind: 'district', name: 'Copacabana', city: 'Rio de Janeiro' },
    ...['Santos', 'Campinas'].map((city): Place => ({ kind: 'district', name: 'Centro', city })),
  ],
  ['SP', 'RJ', 'RN'],
);

function ask(query: string, { given = [] as string[], city = 'São Paulo' } = {}) {
  return understand(query, lexicon, { given: [city, ...given], city, known });
}
/** What a query asks for, but for the title that it is as a whole. */
const meaning = ({ mentions, title, unexplained, ...intent }: ReturnType<typeof ask>) => intent;
const placesOf = (query: string) => ask(query).mentions.places.map(({ name }) => name);

describe('a query that names the place that its search is kept to', () => {
  it.each([
    ['farmácia 24h em Pinheiros', 'farmácia 24h', 'Pinheiros'],
    ['farmácia PINHEIROS', 'farmácia', 'Pinheiros'],
    ['tênis de corrida no Jd. Paulista', 'tênis de corrida', 'Jardim Paulista'],
    ['sushi perto do metrô Vl Mariana', 'sushi', 'Vila Mariana'],
    ['farmácia da Saúde', 'farmácia', 'Saúde'],
    ['dipirona em Fgo Refri', 'dipirona', 'Fgo Refri'],
    ['dipirona em Ag Coco', 'dipirona', 'Ag Coco'],
    ['farmácia saúde', 'farmácia', 'Saúde'],
    ['vestido no bairro do Brás, São Paulo - SP', 'vestido', 'Brás'],
    ['em Moema, pizza', 'pizza', 'Moema'],
    ['sushi restaurant near Vila Mariana, São Paulo, Brazil', 'sushi restaurant', 'Vila Mariana'],
    ['zapatillas para correr cerca de Penha', 'zapatillas para correr', 'Penha'],
    ['pharmacie à Moema', 'pharmacie', 'Moema'],
    ['Apotheke in der Nähe von Pinheiros', 'Apotheke', 'Pinheiros'],
    ['аптека рядом с Pinheiros', 'аптека', 'Pinheiros'],
    ['صيدلية في Pinheiros', 'صيدلية', 'Pinheiros'],
    ['Pinheirosの近くの寿司', '寿司', 'Pinheiros'],
    ['Pinheiros에서 약국', '약국', 'Pinheiros'],
    ['Pinheiros附近的药店', '药店', 'Pinheiros'],
    ['Pinheiros के पास दवा', 'दवा', 'Pinheiros'],
    ['tênis na Calçados Aurora', 'tênis', 'Calçados Aurora'],
  ])('"%s" means "%s"', (query, without, name) => {
    expect(meaning(ask(query, { given: [name] }))).toEqual(meaning(ask(without)));
    expect(ask(query, { given: [name] }).mentions).toEqual({
      places: [],
      given: true,
      price: null,
    });
  });

  it.each([
    ['suco de limão', 'Limão'],
    ['caipirinha com limão', 'Limão'],
    ['limão', 'Limão'],
    ['plano de saúde', 'Saúde'],
    ['sports bras', 'Brás'],
    ['centro de mesa', 'Centro'],
    ['camisa do São Paulo', 'São Paulo'],
  ])('"%s" is a thing, in %s as well', (query, name) => {
    expect(meaning(ask(query, { given: [name] }))).toEqual(meaning(understand(query, lexicon)));
  });

  it('means the same without it, whatever the name, its spelling and the words around it', () => {
    const word = fc.stringMatching(/^[a-zà-ü]{3,10}$/);
    const names = fc.oneof(
      fc.constantFrom(...DISTRICTS),
      fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' ')),
    );
    const around = fc.constantFrom('em @', 'near @', 'perto de @', 'no bairro @', 'in @', 'в @');
    const queries = fc.constantFrom(
      'dipirona',
      'running shoes',
      'ração para gato',
      '寿司',
      'пицца',
    );
    const spelled = fc.constantFrom(
      (name: string) => name,
      (name: string) => name.toUpperCase(),
      (name: string) => name.normalize('NFD').replace(/\p{M}/gu, ''),
    );
    fc.assert(
      fc.property(names, around, queries, spelled, (name, words, query, spell) => {
        const asked = `${query} ${words.replace('@', spell(name))}`;
        expect(meaning(ask(asked, { given: [name] }))).toEqual(meaning(ask(query)));
      }),
      { numRuns: 300 },
    );
  });
});

describe('a query that speaks of a place its search is not kept to', () => {
  it.each([
    ['farmácia em Pinheiros', 'Pinheiros', 'farmácia'],
    ['sushi Vila Mariana', 'Vila Mariana', 'sushi'],
    ['dipirona na Saúde', 'Saúde', 'dipirona'],
    ['pizza no Alto de Pinheiros', 'Alto de Pinheiros', 'pizza'],
    ['restaurante em Natal', 'Natal', 'restaurante'],
    ['running shoes in Campinas, SP', 'Campinas', 'running shoes'],
    ['pizza Copacabana, Rio de Janeiro', 'Copacabana', 'pizza'],
    ['pizza Natal RN', 'Natal', 'pizza'],
    ['pizza Rio de Janeiro', 'Rio de Janeiro', 'pizza'],
    ['pizza no RJ', 'Rio de Janeiro', 'pizza'],
  ])('"%s" names %s', (query, name, without) => {
    expect(placesOf(query)).toEqual([name]);
    expect(meaning(ask(query))).toEqual(meaning(ask(without)));
  });

  it('means, of places of one name, the one in the city that is named beside it', () => {
    const places = (query: string) =>
      ask(query).mentions.places.map(({ name, city }) => [name, city]);
    expect(places('padaria no Centro, em Santos')).toEqual([['Centro', 'Santos']]);
    expect(places('padaria em Campinas no Centro')).toEqual([['Centro', 'Campinas']]);
  });

  it.each([
    ...['luz', 'saúde', 'suco de limão', 'plano de saúde', 'sports bras', 'peru de natal'],
    ...['presentes no Natal', 'camisa do Santos', 'anel de ouro preto', 'estátua da liberdade'],
    ...['no sé qué regalar', 'pizza no centro', 'sandália Moema'],
  ])('"%s" names none', (query) => {
    expect(placesOf(query)).toEqual([]);
    expect(meaning(ask(query))).toEqual(meaning(understand(query, lexicon)));
  });

  it('is told, of hostile names in one bounded line without markup', () => {
    const name = `[x](http://e.vil) <b>*Vila*</b>\u202e`;
    const long = 'Vila '.repeat(100);
    const places = [name, long].map(
      (each): Place => ({ kind: 'district', name: each, city: name }),
    );
    const mentions = { places, given: false, price: null };
    const told = mentionMessages(mentions, { query: 'x' }, { city: 'São Paulo' }, 'São Paulo');
    const facts = {
      service: 'Vitrine',
      interpretation: { concepts: [], unmatched_terms: [], language: null },
      applied_filters: {},
      messages: told.map(agentMessage),
      usage: '',
    };
    const text = searchText(facts, []);
    expect(text).toContain('\\[x\\]\\(http\\://e.vil\\) \\<b\\>\\*Vila\\*');
    expect(text).not.toContain('\u202e');
    expect(text.length).toBeLessThan(1200);
  });

  it('is read in linear time among thousands of names, however hostile they are', () => {
    const words = ['vila', 'jardim', 'a', 'de', 'em', 'sp'];
    const names = fc
      .array(fc.constantFrom(...words, 'constructor', '__proto__'), { minLength: 1, maxLength: 12 })
      .map((parts) => parts.join(' '));
    fc.assert(
      fc.property(fc.array(names, { maxLength: 300 }), names, (all, given) => {
        const places = all.map((name): Place => ({ kind: 'district', name, city: 'a' }));
        const query = `${words.join(' ')} `.repeat(2600).slice(0, 65_536);
        const around = { given: [given], city: 'a', known: indexPlaces(places, ['sp']) };
        expect(understand(query, lexicon, around).mentions.places.length).toBeLessThanOrEqual(3);
      }),
      { numRuns: 30 },
    );
  });
});

describe('a query that speaks of a price', () => {
  const price = (query: string) => ask(query).mentions.price;
  const reais = (min: number | null, max: number | null) => ({ min, max, isForeign: false });
  it.each([
    ['tênis até R$ 300', 'tênis', reais(null, 300)],
    ['running shoes under 300', 'running shoes', reais(null, 300)],
    ['presente menos de 50 reais', 'presente', reais(null, 50)],
    ['iphone 15 até R$ 4.500,00 em Pinheiros', 'iphone 15', reais(null, 4500)],
    ['presente até 2 mil reais', 'presente', reais(null, 2000)],
    ['presente entre R$ 50 e R$ 100', 'presente', reais(50, 100)],
    ['presente de 50 a 100 reais', 'presente', reais(50, 100)],
    ['notebook a partir de 3.000 reais', 'notebook', reais(3000, null)],
    ['pizza R$ 29,90', 'pizza', reais(null, null)],
    ['Laufschuhe bis 50 Euro', 'Laufschuhe', { min: null, max: 50, isForeign: true }],
    ['zapatillas por menos de 300 reales', 'zapatillas', reais(null, 300)],
    ['подарок до 300 реалов', 'подарок', reais(null, 300)],
    ['300レアル以下のランニングシューズ', 'のランニングシューズ', reais(null, 300)],
    ['선물 50헤알 이하', '선물', reais(null, 50)],
    ['هدية أقل من 50 ريال', 'هدية', reais(null, 50)],
  ])('"%s" means "%s", and the price is told', (query, without, named) => {
    expect(price(query)).toEqual(named);
    expect(meaning(ask(query))).toEqual(meaning(ask(without)));
  });

  it.each([
    ...['iPhone 15', 'pneu 175/70 R13', 'nike air max 90', 'galaxy a54 5g', 'tv 50 polegadas'],
    ...['brinquedo até 3 anos', 'toys for kids under 12', 'caixa até 300 litros', '5w30'],
    ...['camisa real madrid 2024', 'camisa 2024 real madrid', 'roda audi rs 3', 'under armour'],
  ])('"%s" speaks of none: the numbers of models, ages and sizes stay', (query) => {
    expect(price(query)).toBeNull();
  });

  it('loses nothing but the price: models keep their numbers', () => {
    const labels = ask('iphone 15 até 5000').clauses.map(({ label }) => label);
    expect(labels).toContain('15');
    expect(labels).not.toContain('5000');
  });
});
