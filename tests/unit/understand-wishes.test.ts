import { describe, expect, it } from 'vitest';
import { ROLE } from '../../src/domain/relevance.ts';
import { loadLexicon, readSources } from '../../src/understand/lexicon/lexicon.ts';
import { indexPlaces } from '../../src/understand/mentions/places.ts';
import { understand } from '../../src/understand/query.ts';

const lexicon = loadLexicon();
const MOEMA = { kind: 'district', name: 'Moema', city: 'São Paulo' } as const;
const around = { given: [], city: 'São Paulo', known: indexPlaces([MOEMA]) };
const read = (query: string) => understand(query, lexicon, around);

describe('a query that names no thing but a wish', () => {
  it.each([
    ['mostre as ofertas de hoje', 'offers'],
    ['any discounts near me?', 'offers'],
    ['algo barato', 'cheap'],
    ['lojas em Moema', 'anything'],
    ['o que tem por aqui?', 'anything'],
    ['e em Moema?', 'follow-up'],
    ['is there one in Moema?', 'follow-up'],
    ['tem outra cor?', 'follow-up'],
    ['comida', 'food'],
    ['cosa mi consigli per cena?', 'food'],
    ['подарок для музыканта', 'gift'],
    ['something for a 5 year old', 'kids'],
    ['gift for my cat', 'gift'],
  ])('%s: %s', (query, kind) => {
    expect(read(query).wish?.kind).toBe(kind);
  });

  it.each([
    ...['celular mais barato', 'cheaper phone', 'outro celular', 'ofertas de tênis'],
    ...['offers on shoes', 'comida para cachorro', 'roupa infantil azul', 'segundo volante'],
    ...['presente: um ursinho', 'presente vinho', '🌹 pra namorada', 'entrega', 'azul', 'Brisa'],
    ...['e o vento levou dvd', 'sapato e em couro', 'something for a headache', '第二外语书'],
  ])('%s names something', (query) => {
    expect(read(query).wish).toBeNull();
  });

  it('detects for whom a thing is', () => {
    const tokens = (query: string) =>
      read(query).clauses.flatMap(({ meanings }) => meanings[0]?.token);
    expect(tokens('a nice watch for my dad')).toContain('c:men');
    expect(tokens('um relógio pra minha mãe')).toContain('c:women');
    expect(tokens('a nice watch')).not.toContain('c:men');
  });

  it('reads whatever else is asked for as before', () => {
    const { concepts, clauses } = read('presente em Moema');
    expect(concepts).toEqual(['presente']);
    expect(clauses[0]).toMatchObject({ label: 'presente', leads: true });
  });
});

describe('a story around what is wanted', () => {
  const headOf = (query: string) =>
    read(query).clauses.find(({ leads }) => leads)?.meanings[0]?.token;

  it.each([
    ['My cat tore the sofa to pieces, do you have a rug?', 'c:rug'],
    ['Ich backe heute Brot und mir fehlt das Mehl', 'c:flour'],
    ['Quebrei meu prato favorito, preciso de uma cola forte', 'c:glue-tape'],
    ['猫がソファを破ったので、カーペットがほしいです', 'c:carpet'],
    ['Kedim koltuğu parçaladı, bana bir halı lazım', 'c:rug'],
    ['het regent hier al weken, ik zoek een paraplu voor mijn dochter', 'c:umbrella'],
    ['Le chien a griffé mon canapé, je voudrais une housse', 'c:sofa-cover'],
    ['Ikväll ska vi laga gryta och jag har glömt köpa mjölk', 'c:milk'],
    ['Estou com dor de cabeça desde ontem, preciso de um remédio', 'c:painkiller'],
    // Nothing is named beside the words of wanting, or no story is told.
    ['tênis para corrida, preciso gastar pouco hoje mesmo', 'c:running-shoe'],
    ['preciso de um sofá, meu gato rasgou', 'c:sofa'],
  ])('%s', (query, need) => {
    expect(headOf(query)).toBe(need);
  });

  it('says the rest as well, at the weight of what is only mentioned', () => {
    const { clauses } = read('Quebrei meu prato favorito, preciso de uma cola forte');
    const plate = clauses.find(({ meanings }) => meanings[0]?.token === 'c:plates');
    expect(plate?.weight).toBe(ROLE.absorbed);
  });

  it('takes no noise for a case of a thing', () => {
    const tokens = read('bana bir halı lazım').clauses.flatMap(
      ({ meanings }) => meanings[0]?.token,
    );
    expect(tokens).not.toContain('c:beer');
  });
});

describe('a gift for somebody with an interest', () => {
  const tokens = (query: string) =>
    read(query).clauses.flatMap(({ meanings }) => meanings.map(({ token }) => token));

  it.each([
    ['quero um presente pro meu pai que gosta de churrasco', 'c:grill-accessory', 'c:picanha'],
    ['gift for my mother who gardens', 'c:garden-tools', 'c:gardener'],
    ['gift for a book lover', 'c:novel', 'c:kids-book'],
    ['подарок папе, который любит рыбалку', 'c:fishing-rod', 'c:wallet'],
    ['regalo para un amigo al que le gusta el fútbol', 'c:team-jersey', 'c:soccer-field'],
  ])('%s: things that one gives', (query, wanted, unwanted) => {
    expect(tokens(query)[0]).toMatch(/^c:/);
    expect(tokens(query)).toContain(wanted);
    expect(tokens(query)).not.toContain(unwanted);
  });

  it('names needs that there are', () => {
    const rows = lexicon.wishes?.table ?? [];
    expect(rows.length).toBeGreaterThan(50);
    for (const { of, needs } of rows) {
      for (const id of [...of, ...needs]) expect(lexicon.needs.has(id), id).toBe(true);
    }
  });
});

it('has forms of every wish in every language that the lexicon is written in', () => {
  const written = [...(lexicon.wishes?.languages.keys() ?? [])];
  const named = [...readSources().forms.keys()].filter((language) => language !== 'emoji');
  expect(written.toSorted()).toEqual(named.toSorted());
});
