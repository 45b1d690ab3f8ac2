import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { feedFileLines } from '../../src/feed/read.ts';
import { judgeTitles, readQuestions } from '../search/everyday/judge.ts';
import { judgeFeed } from '../search/known/known.ts';
import { searchProducts } from '../support/mcp.ts';
import type { Service } from '../support/service.ts';
import { serveFeed, serveRecords } from '../support/small-catalog.ts';

/** Titles as invoices, price lists and marketplaces write them, made up for this test. */
const TITLES = [
  ...['MOSTARDA AMARELA 200G', 'MAIONESE TRAD 500G', 'KETCHUP TRAD 400G', 'MOLHO DE PIZZA 340G'],
  ...['Violoncelo 4/4 Com Capa', 'Violino 3/4 Estudante', 'Violino 4/4 Profissional'],
  ...['SARDINHA OLEO 125G', 'SARDINHA TOMATE 125G', 'ATUM RALADO 170G', 'ATUM SOLIDO 170G'],
  ...['METFORMINA 850 MG COM REV CT BL AL PLAS TRANS X 30', 'INSULINA HUMANA NPH 100 UI/ML'],
  ...['INSULINA GLARGINA 100 UI/ML SOL INJ CT 1 CAR X 3 ML', 'METFORMINA 500 MG COM CT X 60'],
  ...['Smart TV 50 Android Wi-Fi', 'Celular Simples Dual Chip', 'Celular 128GB Tela 6,5 Preto'],
  ...['CERV BRAHMA CHOPP 350ML LT', 'CERV BRAHMA DUPLO MALTE 600ML', 'BRAHMA CHOPP 600ML'],
  ...[
    'CLOZAPINA 100 MG COM CT BL AL PLAS TRANS X 30',
    'CLOZAPINA 25 MG COM CT BL AL PLAS TRANS X 30',
  ],
  ...[
    'LOSARTANA 100 MG COM CT BL AL PLAS TRANS X 30',
    'ATENOLOL 100 MG COM CT BL AL PLAS TRANS X 30',
  ],
  ...['AGUA MIN SERRA 500ML S/GAS', 'AGUA MIN SERRA 500ML C/GAS', 'AGUA MIN FONTE 1,5L S/GAS'],
  ...['REFRI GUARANA 2LT', 'REFRI GUARANA 2,5L', 'REFRI COLA 2L', 'REFRI GUARANA LT 350ML'],
  ...['Pneu 175/70 R13 82T', 'Pneu 205/55 Aro 17', 'Pneu Aro 14 185/60'],
  ...[
    'LEVONORGESTREL 1,5 MG COM CT BL X 1',
    'DIU DE COBRE T380',
    'LEVONORGESTREL 52 MG SIU CT X 1',
  ],
  ...['PARACETAMOL 200 MG/ML SOL OR CT FR GOT X 15 ML', 'VACINA FEBRE AMARELA INJ CT FA X 5 DOSES'],
  ...['PARACETAMOL 750 MG COM CT BL X 20', 'DIPIRONA 500 MG/ML SOL INJ CX AMP X 2 ML'],
  ...['Luva de Boxe Preta', 'Luva de Borracha M', 'Bola de Golf c/ 3', 'Relógio de Parede Branco'],
  ...['VINHO TINTO RED BLEND 750ML', 'Liquidificador 600W Preto', 'CERV COLORADO INDICA 600ML'],
  ...[
    'Aspirador de Pó Vermelho',
    'QUEIJO MINAS FRESCAL KG',
    'QUEIJO PRATO KG',
    'Despertador Digital',
  ],
  ...['GELAT MORANGO 20G', 'SORVETE NAPOLITANO 2L', 'Tubo de Ferro 3/4'],
];
const FAR = ['Fogazza de Calabresa'];

const store = (id: number, city: string) => ({
  ...{ kind: 'store', id, merchant_id: id, name: `Loja ${id}`, address: 'Rua Um, 1' },
  ...{ district: 'Centro', city },
});
const product = (name: string, merchant: number, id: number) => ({
  ...{ kind: 'product', id, merchant_id: merchant, name },
  price: { amount: 1000, currency: 'BRL' },
});
const RECORDS = [
  { kind: 'merchant', id: 1, name: 'Empório' },
  { kind: 'merchant', id: 2, name: 'Longe' },
  ...[store(1, 'São Paulo'), store(2, 'Campinas')],
  ...TITLES.map((title, place) => product(title, 1, place + 1)),
  ...FAR.map((title, place) => product(title, 2, 1000 + place)),
];

describe('titles as they really are', () => {
  let service: Service;
  beforeAll(async () => {
    service = await serveRecords(RECORDS);
  });
  afterAll(() => service.stop());
  const ask = async (query: string) => {
    const answer = await searchProducts(service.url, { query });
    return { ...answer, titles: answer.products.map(({ name }) => name) };
  };

  it.each([
    ['ketchup', /^KETCHUP/],
    ['violinos', /^Violino/],
    ['Wecker', /^Despertador/],
    ['sardinha', /^SARDINHA/],
    ['insulina', /^INSULINA/],
    ['celular', /^Celular/],
    ['brahma chopp 600ml', /^BRAHMA CHOPP 600ML$/],
    ['Pizzasaus', /^MOLHO DE PIZZA/],
    ['CLOZAPINA 100 MG COM CT BL AL PLAS TRANS X 30', /^CLOZAPINA 100 MG/],
    ['clozapina 100mg', /^CLOZAPINA 100 MG/],
    ['agua sem gas', /S\/GAS$/],
    ['água com gás', /C\/GAS$/],
    ['guaraná 2 litros', /^REFRI GUARANA 2LT$/],
    ['guarana 2000 ml', /^REFRI GUARANA 2LT$/],
    ['pneu aro 13', /R13/],
    ['celular 128 gb', /128GB/],
    ['pílula do dia seguinte', /^LEVONORGESTREL 1,5/],
    ["children's fever medicine", /^PARACETAMOL 200/],
    ['blend', /RED BLEND/],
    ['colorado', /COLORADO/],
    ['minas', /^QUEIJO MINAS/],
    ['cerveja colorado', /^CERV COLORADO/],
  ])('%s', async (query, first) => {
    const { titles } = await ask(query);
    expect(titles[0]).toMatch(first);
  });

  it('reads no unlikely language where the catalog says nothing of the kind', async () => {
    // German "Eisen" is iron, and no "Eis".
    const { products } = await ask('eisen');
    const exact = products.filter(({ match }) => match === 'exact');
    expect(exact.map(({ name }) => name)).toEqual(['Tubo de Ferro 3/4']);
  });

  it('gives no injection or vaccine for a complaint', async () => {
    for (const query of ['remédio para febre', 'headache pills', 'remédio pra dor']) {
      const { titles } = await ask(query);
      expect(titles[0], query).toMatch(/^PARACETAMOL/);
    }
  });

  it('tells what it did not understand of a compound', async () => {
    const { interpretation, products } = await ask('Golfhandschoenen');
    expect(interpretation.unmatched_terms).toEqual(['golf']);
    expect(products.filter(({ match }) => match === 'exact')).toEqual([]);
  });

  it('adds no false message to what it found', async () => {
    expect((await ask('minas')).messages.join()).not.toContain('names nothing');
    expect((await ask('ketchup')).messages).toEqual([]);
  });

  it('names another city that has what the default one lacks', async () => {
    const { products, messages } = await ask('fogazza');
    expect(products.filter(({ match }) => match !== 'category_fallback')).toEqual([]);
    expect(messages.join(' ')).toContain('pass city: "Campinas"');
  });

  it('never puts a partial match above an exact one', async () => {
    for (const title of TITLES) {
      const { products } = await ask(title.split(' ').slice(0, 3).join(' '));
      const kinds = products.map(({ match }) => match);
      expect(kinds.lastIndexOf('exact'), title).toBeLessThanOrEqual(kinds.indexOf('partial') >>> 0);
    }
  });

  it('finds every title by itself, first', async () => {
    for (const title of TITLES) expect((await ask(title.toLowerCase())).titles[0]).toBe(title);
  });
});

/** Open government data that is not part of the repository; measured if it is beside the checkout. */
const FEED =
  process.env.REAL_FEED ??
  new URL('../../../shared/real/sao-paulo.ndjson', import.meta.url).pathname;

describe.skipIf(!existsSync(FEED))('the real feed', () => {
  let service: Service;
  beforeAll(async () => {
    service = await serveFeed(feedFileLines(FEED));
  }, 180_000);
  afterAll(() => service.stop());

  it('meets the promised figures', async () => {
    const source = () => feedFileLines(FEED);
    const options = { cases: 60, seed: 3, url: service.url, peers: false };
    const { suites, reports } = await judgeFeed(source, options);
    for (const suite of suites) {
      const own = reports.flatMap(({ outcomes }) => outcomes.filter((one) => one.suite === suite));
      const passed = own.filter((one) => one.passed).length;
      expect(passed / own.length, suite.name).toBeGreaterThanOrEqual(0.9);
    }
  }, 300_000);

  it('answers everyday questions', async () => {
    const questions = readQuestions();
    let good = 0;
    for (const question of questions) {
      const { products } = await searchProducts(service.url, { query: question.query });
      good += Number(
        judgeTitles(
          question,
          products.map(({ name }) => name),
        ).good,
      );
    }
    expect(good / questions.length).toBeGreaterThanOrEqual(0.85);
  }, 120_000);
});
