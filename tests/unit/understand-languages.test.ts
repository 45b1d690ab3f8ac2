import { describe, expect, it } from 'vitest';
import { indexSources } from '../../src/understand/lexicon/index-forms.ts';
import { understand } from '../../src/understand/query.ts';
import { fold } from '../../src/understand/text/text.ts';
import { tokenize } from '../../src/understand/text/tokenize.ts';
import { firstToken } from '../support/head-of.ts';

const needs = [
  'footwear calçados - item',
  'running-shoe tênis footwear item',
  'jacket jaqueta - item',
  'pet-food ração - item',
  'dog-food ração-cão pet-food item',
  'cough-syrup xarope - item',
  'pet-grooming banho-e-tosa - service',
  'beef carne - item',
  'phone-case capinha - item',
  'tea chá - item',
  'dog cachorro - attribute',
  'winter inverno - attribute',
  'men masculino - attribute',
  'vegetarian vegetariano - attribute',
].map((line) => line.split(' ').join('\t'));

const lexicon = indexSources(
  {
    needs: ['id\tlabel\tbroader\tkind', ...needs].join('\n'),
    combinations: 'need\tparts\ndog-food\tpet-food dog\n',
    shorthand: '',
    harvest: '',
    forms: new Map([
      ['pt', 'pet-grooming: banho e tosa, tosa\ntea: chá\n!polite: para, a, o\nmen: homem'],
      ['es', 'cough-syrup: jarabe, ~tos\ndog: perro\n!polite: para, la, el, de, algo, mi'],
      [
        'de',
        'jacket: Jacke\nwinter: Winter\nmen: Herren\npet-food: Futter\ndog: Hund\n!polite: für',
      ],
      ['tr', 'running-shoe: koşu ayakkabısı\nfootwear: ayakkabı'],
      ['ar', 'dog-food: طعام كلاب\ntea: شاي\n!polite: اريد'],
      ['he', 'tea: תה\nfootwear: נעליים'],
      ['ru', 'phone-case: чехол для телефона, чехол\n!polite: для, купить'],
      ['vi', 'beef: bò\nrunning-shoe: giày chạy bộ\nvegetarian: chay\nfootwear: giày'],
      ['ja', 'dog-food: 犬の餌\nrunning-shoe: ランニングシューズ\ntea: 茶\n!polite: が,欲しい'],
      ['zh', 'running-shoe: 跑鞋\nmen: 男\ntea: 茶\n!polite: 买, 我想'],
      ['ko', 'dog-food: 강아지 사료\ntea: 차\n!near: 근처'],
    ]),
  },
  'test',
);
const headOf = (query: string) => firstToken(understand(query, lexicon));

describe('folding makes spellings of one word alike', () => {
  it.each([
    ['AÇAÍ', 'acai'],
    ['Ёлка', 'елка'],
    ['أحذية', 'احذيه'],
    ['شـــاي', 'شاي'],
    ['שָׁלוֹם', 'שלום'],
    ['फ़ोन', 'फोन'],
    ['IŞIK ısı', 'isik isi'],
    ['ｉＰｈｏｎｅ', 'iphone'],
    ['Straße', 'strasse'],
  ])('%s -> %s', (text, expected) => {
    expect(fold(text)).toBe(expected);
  });

  it('keeps Hangul, kana with dakuten and Thai vowels whole', () => {
    for (const text of ['한국', 'ガーデン', 'ที่']) expect(fold(text)).toBe(text.normalize('NFKC'));
  });
});

describe('words are found the way each script writes them', () => {
  it('cuts unspaced scripts into characters and keeps marks with them', () => {
    expect(tokenize('iPhone充电器').map((unit) => unit.text)).toEqual(['iphone', '充', '电', '器']);
    expect(tokenize('ที่นี่')).toHaveLength(2);
  });

  it.each([
    ['compound', 'Winterjacke Herren', 'c:jacket'],
    ['compound with a joint, both parts meaning a third', 'Hundefutter', 'c:dog-food'],
    ['Turkish suffixes', 'koşu ayakkabıları', 'c:running-shoe'],
    ['Arabic article and prefix', 'اريد الشاي', 'c:tea'],
    ['Arabic article on both words', 'طعام الكلاب', 'c:dog-food'],
    ['Hebrew prefix', 'לתה', 'c:tea'],
    ['Russian cases', 'купить чехлы для телефонов', 'c:phone-case'],
    ['Japanese without spaces', '犬の餌が欲しい', 'c:dog-food'],
    ['Chinese longest match', '我想买男跑鞋', 'c:running-shoe'],
    ['Korean with and without spaces', '근처 강아지사료', 'c:dog-food'],
  ])('%s: %s', (_, query, token) => {
    expect(headOf(query)).toBe(token);
  });

  it('reads one Chinese character only where it is a word', () => {
    expect(headOf('茶')).toBe('c:tea');
    expect(understand('茶几', lexicon).clauses).toEqual([]);
  });
});

describe('words shared by languages follow the words around them', () => {
  it('takes "tos" as Spanish, not as the Portuguese "tosa"', () => {
    expect(headOf('algo para la tos')).toBe('c:cough-syrup');
    expect(headOf('banho e tosa')).toBe('c:pet-grooming');
  });

  it('respects written accents: "bò" is beef, "chạy bộ" is running', () => {
    expect(headOf('giày chạy bộ')).toBe('c:running-shoe');
    expect(headOf('bò')).toBe('c:beef');
  });

  it('matches no form of another script', () => {
    expect(understand('чай', lexicon).clauses.map(({ kind }) => kind)).not.toContain('concept');
  });
});
