import { describe, expect, it } from 'vitest';
import { makeRandom } from '../../src/sample/random.ts';
import { hasDose, medicineOf } from '../search/known/doses.ts';
import { feedOfTitles, knownItems } from '../search/known/items.ts';
import { judgeEngine } from '../search/known/judge.ts';
import { miniSearchOf } from '../search/known/mini-search.ts';
import { knownMisses, knownTable } from '../search/known/report.ts';
import { mistype, sample } from '../search/known/sampling.ts';
import { type KnownSuite, knownSuites, passes } from '../search/known/suites.ts';
import { isSameWord, titleKey, wordsOf } from '../search/known/words.ts';

const DRAW = { cases: 5, seed: 1 };
const TITLES = [
  'Feijão, preto, cru',
  'Feijões brancos em conserva',
  'Feijão-de-corda cozido',
  'Pão de queijo com ervas finas',
  'Suco de uva 1,5 L',
];
const suiteOf = (titles: string[], name: string, draw = DRAW): KnownSuite | undefined =>
  knownSuites(titles, draw).find((suite) => suite.name.startsWith(name));

describe('the words of known items', () => {
  it.each([
    ['CAFÉ_NA 0,443 MG/G x30', ['cafe', 'na', '0,443', 'mg', 'g', 'x30']],
    ['22,5ML', ['22,5', 'ml']],
    ['PORT.344, 2', ['port', '344', '2']],
    ['  — ', []],
  ])('%j are %j', (title, words) => {
    expect(wordsOf(title)).toEqual(words);
  });

  it('tell titles apart, but not by case, accents, spaces or punctuation', () => {
    expect(titleKey('PÃO  de Queijo_')).toBe(titleKey('pao de-queijo'));
    expect(titleKey('Pão 2,0 kg')).not.toBe(titleKey('Pão 20 kg'));
  });

  it.each([
    ['pao', 'paes', true],
    ['limoes', 'limao', true],
    ['anel', 'aneis', true],
    ['uva', 'uvas', true],
    ['flor', 'flores', true],
    ['som', 'sons', true],
    ['suco', 'suco', true],
    ['uva', 'ova', false],
    ['s', 'a', false],
    ['gel', 'gelado', false],
  ])('%s and %s are one word but for the number: %s', (a, b, same) => {
    expect(isSameWord(a, b)).toBe(same);
    expect(isSameWord(b, a)).toBe(same);
  });
});

describe('medicines among titles', () => {
  it.each([
    ['DIPIRONA S_DICA 500 MG COM CT', { substance: 'DIPIRONA S_DICA', number: '500', unit: 'MG' }],
    ['TIMOLOL 2,5MG/ML SOL', { substance: 'TIMOLOL', number: '2,5', unit: 'MG' }],
    ['CEFALOTINA 1 G PO', { substance: 'CEFALOTINA', number: '1', unit: 'G' }],
    // The size of a package, a mixture, no unit, no substance.
    ['ZINCO POM BUCAL CT X 10 G', null],
    ['DIPIRONA + CAFEINA 300 MG', null],
    ['Pneu aro 13', null],
    ['Furadeira 500 GB', null],
    ['500 MG', null],
  ])('%s: %j', (title, medicine) => {
    expect(medicineOf(title)).toEqual(medicine);
  });

  it('have a dose however its number is written', () => {
    const medicine = { substance: 'TIMOLOL', number: '2,5', unit: 'mg' };
    expect(hasDose('Maleato de Timolol 2.50MG/ML', medicine)).toBe(true);
    expect(hasDose('Timolol 25 mg', medicine)).toBe(false);
    const heparin = { substance: 'heparina', number: '5000', unit: 'ui' };
    expect(hasDose('HEPARINA 5.000 UI/ML', heparin)).toBe(true);
    expect(hasDose('HEPARINA 0.500 UI/ML', { ...heparin, number: '0,5' })).toBe(true);
    expect(hasDose('Timolol 2,5 ml', medicine)).toBe(false);
    expect(hasDose('Atenolol 2,5 mg', medicine)).toBe(false);
  });
});

describe('the draw of known items', () => {
  it('is the same for the same seed, another for another, and repeats nothing', () => {
    const list = Array.from({ length: 50 }, (_, place) => place);
    const drawn = sample(list, 20, makeRandom(3));
    expect(sample(list, 20, makeRandom(3))).toEqual(drawn);
    expect(sample(list, 20, makeRandom(4))).not.toEqual(drawn);
    expect(new Set(drawn).size).toBe(20);
    expect(sample(list, 99, makeRandom(3)).toSorted((a, b) => a - b)).toEqual(list);
  });

  it('mistypes the longest word alone, never its first letter', () => {
    for (let seed = 0; seed < 200; seed += 1) {
      const slipped = mistype('Suco de BETERRABA 1L', makeRandom(seed)) ?? '';
      const [, word = ''] = /^Suco de (B\S+) 1L$/.exec(slipped) ?? [];
      expect(Math.abs(word.length - 9)).toBeLessThanOrEqual(1);
      expect(word.toLowerCase()).not.toBe('beterraba');
    }
    expect(mistype('Pão de mel', makeRandom(1))).toBeNull();
  });
});

describe('the suites of known items', () => {
  it('ask for a title and want it first, however it is folded', () => {
    const suite = suiteOf(['Pão de Queijo', 'PAO DE QUEIJO_'], 'exact title');
    const [asked] = suite?.cases ?? [];
    if (suite === undefined || asked === undefined) throw new Error('no case');
    expect(suite.cases.length).toBe(1);
    expect(passes(suite, asked, ['Pão de queijo', 'Outro'])).toBe(true);
    expect(passes(suite, asked, ['Outro', 'Pão de queijo'])).toBe(false);
    expect(passes(suite, asked, [])).toBe(false);
  });

  it('ask for the three rarest words and take every title that has them all, among three', () => {
    const suite = suiteOf(TITLES, 'three rarest');
    const asked = suite?.cases.find(({ wanted }) => wanted === 'Feijão, preto, cru');
    if (suite === undefined || asked === undefined) throw new Error('no case');
    expect(asked.query).toBe('feijao preto cru');
    expect(passes(suite, asked, ['a', 'b', 'CRU FEIJAO (PRETO)'])).toBe(true);
    expect(passes(suite, asked, ['a', 'b', 'Feijão preto', 'Feijão, preto, cru'])).toBe(false);
    // "de" stands in two more titles; of words that are as rare the first ones are taken.
    const rare = suite.cases.find(({ wanted }) => wanted.startsWith('Pão'))?.query;
    expect(rare).toBe('pao queijo com');
  });

  it('ask for words of three titles and want three results that all say it', () => {
    const suite = suiteOf([...TITLES, 'Feijão 1,5', 'Bolo 1,5', 'Mel 1,5'], 'single word');
    const [asked, ...others] = suite?.cases ?? [];
    if (suite === undefined || asked === undefined) throw new Error('no case');
    // "de" is too short, "1,5" a number.
    expect([asked.query, others]).toEqual(['feijao', []]);
    expect(passes(suite, asked, ['Feijão', 'Feijões', 'Bolo de feijão', 'Mel'])).toBe(true);
    expect(passes(suite, asked, ['Feijão', 'Mel', 'Feijões'])).toBe(false);
    expect(passes(suite, asked, ['Feijão', 'Feijões'])).toBe(false);
  });

  it('ask for substance and dose where there are thirty medicines', () => {
    const medicines = (count: number) =>
      Array.from({ length: count }, (_, place) => `DIPIRONA ${place + 1} MG COM`);
    expect(suiteOf(medicines(29), 'substance')).toBeUndefined();
    expect(suiteOf(medicines(30), 'substance')?.cases[0]?.query).toMatch(/^dipirona \d+ mg$/);
  });

  it('are judged engine by engine', async () => {
    const items = await knownItems(() => feedOfTitles([...TITLES, '']));
    expect(items.map(({ title }) => title)).toEqual(TITLES);
    const suites = knownSuites(TITLES, DRAW);
    const engine = miniSearchOf(items);
    const report = await judgeEngine(engine, suites);
    expect(report.outcomes.filter(({ suite }) => suite.name.startsWith('exact'))).toHaveLength(5);
    expect(knownTable({ suites, reports: [report] })[2]).toBe(
      '| exact title, first | 5 | 1.000 | none wrong |',
    );
    const astray = {
      name: 'astray',
      search: async () => [{ title: 'Mel', match: 'exact' }, { title: 'Suco de uva 1,5 L' }],
    };
    const lost = await judgeEngine(astray, suites);
    expect(knownTable({ suites, reports: [lost] })[2]).toBe(
      '| exact title, first | 5 | 0.000 | 5 of 5 (100 %) |',
    );
    expect(knownMisses(lost).join('\n')).toContain('came    - Mel [exact]');
  });

  it('leave out what a search without filters does not cover', async () => {
    const lines = feedOfTitles(['Mel']).map((line) => line.replace('São Paulo', 'Campinas'));
    expect(await knownItems(() => lines)).toEqual([]);
    await expect(knownItems(() => ['{}'])).rejects.toThrow('line 1 of the feed: kind');
  });
});
