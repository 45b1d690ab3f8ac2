import { describe, expect, it } from 'vitest';
import { agreementOf } from '../../src/harvest/agreement.ts';
import type { Dictionary } from '../../src/harvest/dictionary.ts';
import { loadLexicon } from '../../src/understand/lexicon/lexicon.ts';
import { parseForms } from '../../src/understand/lexicon/sources.ts';
import { understand } from '../../src/understand/query.ts';

const lexicon = loadLexicon();
const ask = (query: string) => understand(query, lexicon);
const headOf = (query: string) => ask(query).clauses.find(({ leads }) => leads)?.meanings[0]?.token;

describe('everyday goods in further languages, in the number that people type', () => {
  it.each([
    ['nb', 'paraply', 'paraplyer', 'melk'],
    ['sk', 'dáždnik', 'dáždniky', 'mlieko'],
    ['bg', 'чадър', 'чадъри', 'мляко'],
    ['hr', 'kišobran', 'kišobrani', 'mlijeko'],
    ['sr', 'кишобран', 'кишобрани', 'млеко'],
    ['sl', 'dežnik', 'dežniki', 'mleko'],
    ['et', 'vihmavari', 'vihmavarjud', 'piim'],
    ['lv', 'lietussargs', 'lietussargi', 'piens'],
    ['lt', 'skėtis', 'skėčiai', 'pienas'],
    ['ca', 'paraigua', 'paraigües', 'llet'],
    ['ka', 'ქოლგა', 'ქოლგები', 'რძე'],
    ['bn', 'ছাতা', 'ছাতাটা', 'দুধ'],
    ['ta', 'குடை', 'குடைகள்', 'பால்'],
    ['ur', 'چھتری', 'چھتری', 'دودھ'],
    ['tl', 'payong', 'mga payong', 'gatas ng baka'],
    ['ms', 'payung', 'payung', 'susu'],
    ['sw', 'mwavuli', 'miavuli', 'maziwa'],
  ])('%s', (_, one, several, milk) => {
    expect(headOf(one)).toBe('c:umbrella');
    expect(headOf(several)).toBe('c:umbrella');
    expect(headOf(milk)).toBe('c:milk');
  });

  it('reads Serbian in Latin letters as well', () => {
    expect(headOf('kišobran')).toBe('c:umbrella');
    expect(headOf('чизме')).toBe('c:boots');
    expect(headOf('čizme')).toBe('c:boots');
  });
});

describe('what is known of a thing besides its name', () => {
  it('is what it is a kind of, where its name says so', () => {
    expect(ask('bread knife').kind).toMatchObject({ label: 'faca', leads: true });
    expect(ask('coffee filter').kind).toBeNull();
    expect(ask('umbrella').kind).toBeNull();
  });

  it('is what else the same word means about as surely', () => {
    expect(ask('banco').alternatives).toEqual(['banqueta e banco']);
    expect(ask('guarda-chuva').alternatives).toEqual([]);
  });

  it('is that a word was split or repaired', () => {
    const guessed = (query: string) => ask(query).clauses.some((clause) => clause.guessed);
    expect(guessed('sevelamer')).toBe(true);
    expect(guessed('umbrella')).toBe(false);
  });

  it('is no foreign reading of a word that Portuguese has, in a Portuguese query', () => {
    const labels = ask('dipirona na vida').clauses.map(({ label }) => label);
    expect(labels).toContain('vida');
    expect(labels).not.toContain('parafuso');
  });
});

describe('names held against dictionaries', () => {
  const dictionary = (entries: Record<string, string[]>): Dictionary => ({
    translations: (word) => entries[word.toLowerCase()] ?? [],
  });
  const names = {
    needs: lexicon.needs,
    english: parseForms('umbrella: umbrella\nbicycle: bicycle, bike\nmilk: milk').forms,
    forms: parseForms('umbrella: paraplu\nbicycle: fiets\nmilk: paard, ~dorst').forms,
  };

  it('are confirmed by way of English, from either side, or contradicted', () => {
    const toEnglish = dictionary({ fiets: ['bike'], paard: ['umbrella', 'horse'] });
    const fromEnglish = dictionary({ umbrella: ['paraplu'] });
    const found = agreementOf(names, { toEnglish, fromEnglish, packages: [] });
    expect(found).toEqual({
      ...{ names: 3, known: 3, confirmed: 2 },
      contradicted: [{ form: 'paard', need: 'milk', meant: ['umbrella', 'horse'] }],
    });
  });

  it('are neither where no dictionary knows them', () => {
    const found = agreementOf(names, { toEnglish: null, fromEnglish: null, packages: [] });
    expect(found).toEqual({ names: 3, known: 0, confirmed: 0, contradicted: [] });
  });
});
