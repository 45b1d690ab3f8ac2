import { describe, expect, it } from 'vitest';
import { loadLexicon } from '../../src/understand/lexicon/lexicon.ts';
import { understand } from '../../src/understand/query.ts';
import { knownDiets } from '../../src/understand/without/diets.ts';
import { judge } from '../../src/understand/without/judge.ts';

const lexicon = loadLexicon();
const excludedBy = (query: string) =>
  understand(query, lexicon).exclusions.map(({ diet }) => diet.id);
const headOf = (query: string) =>
  understand(query, lexicon).clauses.find(({ leads }) => leads)?.label;

describe('what a query wants without', () => {
  it.each([
    ['pt', 'chocolate sem castanhas', 'nuts'],
    ['pt', 'nada de amendoim, um chocolate', 'peanut'],
    ['pt', 'bolo que não tenha ovo', 'egg'],
    ['en', 'chocolate without nuts', 'nuts'],
    ['en', 'nut-free chocolate', 'nuts'],
    ['en', 'chocolate with no nuts', 'nuts'],
    ['es', 'chocolate sin frutos secos', 'nuts'],
    ['fr', 'chocolat sans noix', 'nuts'],
    ['it', 'cioccolato senza noci', 'nuts'],
    ['de', 'Schokolade ohne Nüsse', 'nuts'],
    ['de', 'nussfreie Schokolade', 'nuts'],
    ['nl', 'chocolade zonder noten', 'nuts'],
    ['nl', 'notenvrije chocolade', 'nuts'],
    ['sv', 'choklad utan nötter', 'nuts'],
    ['sv', 'nötfri choklad', 'nuts'],
    ['da', 'chokolade uden nødder', 'nuts'],
    ['fi', 'suklaa ilman pähkinöitä', 'nuts'],
    ['fi', 'pähkinätön suklaa', 'nuts'],
    ['hu', 'csokoládé mogyoró nélkül', 'nuts'],
    ['hu', 'mogyorómentes csokoládé', 'nuts'],
    ['pl', 'czekolada bez orzechów', 'nuts'],
    ['cs', 'čokoláda bez ořechů', 'nuts'],
    ['ro', 'ciocolată fără nuci', 'nuts'],
    ['ru', 'шоколад без орехов', 'nuts'],
    ['uk', 'шоколад без горіхів', 'nuts'],
    ['el', 'σοκολάτα χωρίς ξηρούς καρπούς', 'nuts'],
    ['tr', 'fındıksız çikolata', 'nuts'],
    ['tr', 'fındık içermeyen çikolata', 'nuts'],
    ['ar', 'شوكولاتة بدون مكسرات', 'nuts'],
    ['ar', 'شوكولاتة خالية من المكسرات', 'nuts'],
    ['fa', 'شکلات بدون آجیل', 'nuts'],
    ['he', 'שוקולד ללא אגוזים', 'nuts'],
    ['hi', 'नट्स के बिना चॉकलेट', 'nuts'],
    ['th', 'ช็อกโกแลตไม่มีถั่ว', 'nuts'],
    ['vi', 'bánh không trứng', 'egg'],
    ['id', 'kue tanpa telur', 'egg'],
    ['zh', '无坚果巧克力', 'nuts'],
    ['zh', '不含坚果的巧克力', 'nuts'],
    ['zh-Hant', '無堅果巧克力', 'nuts'],
    ['ja', 'ナッツなしのチョコレート', 'nuts'],
    ['ja', 'ナッツ抜きチョコレート', 'nuts'],
    ['ko', '견과류 없는 초콜릿', 'nuts'],
  ])('%s: %s', (_, query, diet) => {
    expect(excludedBy(query)).toEqual([diet]);
    expect(headOf(query)).not.toBe('castanhas e nozes');
  });

  it.each([
    ['sou alérgico a amendoim, quero um doce', 'peanut'],
    ['minha filha tem alergia a camarão', 'shellfish'],
    ['my son is celiac, what bread can he eat', 'gluten'],
    ['lactose intolerant cheese', 'lactose'],
    ['egg allergy cake', 'egg'],
    ['Ich bin allergisch gegen Erdnüsse, Schokolade', 'peanut'],
    ['allergique aux arachides, chocolat', 'peanut'],
    ['soy alérgica a la leche, helado', 'milk'],
    ['аллергия на арахис шоколад', 'peanut'],
    ['花生过敏 零食', 'peanut'],
    ['ピーナッツアレルギー お菓子', 'peanut'],
    ['땅콩 알레르기 과자', 'peanut'],
    ['mogyoróallergia csokoládé', 'nuts'],
    ['não como carne, quero um hambúrguer', 'meat'],
    ['doce para diabético', 'sugar'],
    ['hambúrguer vegano', 'animal'],
    ['halal meat', 'halal'],
    ['kosher wine', 'kosher'],
  ])('%s', (query, diet) => {
    expect(excludedBy(query)).toEqual([diet]);
  });

  it('detects each of a list', () => {
    expect(excludedBy('snack without nuts or soy')).toEqual(['nuts', 'soy']);
    expect(excludedBy('cookies, no nuts no eggs')).toEqual(['nuts', 'egg']);
    expect(excludedBy('bolo sem ovo, leite e castanhas')).toEqual(['egg', 'milk', 'nuts']);
  });

  it.each([
    ...['keyboard sem fio', 'água sem gás', 'frost free geladeira', 'camiseta sem manga'],
    ...['açaí no leite', 'meia para diabético', 'remédio para alergia', 'TV que não liga'],
    ...['ACETATO DE MAGN_SIO + SULFATO DE ZINCO + VITAMINA C COM REV X 30'],
    ...['cinema no shopping', 'tênis no pix', 'pizza no microondas'],
    ...['pão com manteiga', 'shampoo antialérgico', '无线鼠标', 'wireless mouse'],
  ])('leaves "%s" as it is', (query) => {
    expect(excludedBy(query)).toEqual([]);
  });

  it('detects things that are not food', () => {
    const [exclusion] = understand('vegan shoes no leather', lexicon).exclusions;
    expect(exclusion?.diet.label).toBe('sem couro');
    const said = (title: string) => exclusion && judge({ title }, [exclusion], lexicon);
    expect(said('Sapato Social Couro Preto 41')).toBe('names');
    expect(said('Tênis Vegano Sem Couro')).toBe('without');
    expect(said('Tênis de Lona')).toBe('silent');
  });

  it('detects a thing that is not meant', () => {
    for (const query of ['iphone não capinha', 'iphone, not a case', 'iPhone 不要手机壳']) {
      expect(headOf(query), query).toBe('celular');
    }
  });

  it('knows needs and parts that exist', () => {
    for (const { id, needs, says, parts, names, foods, except } of knownDiets().values()) {
      const named = [...names, ...foods, ...except].flatMap((one) =>
        'need' in one ? one.need : [],
      );
      for (const need of [...needs, ...says, ...named])
        expect(lexicon.needs.has(need), `${id} ${need}`).toBe(true);
      for (const part of parts) expect(knownDiets().has(part)).toBe(true);
    }
  });
});

describe('what a record says of it', () => {
  const { exclusions } = understand('comida sem glúten', lexicon);
  const milk = understand('sorvete sem leite', lexicon).exclusions;
  it.each([
    ['Pão Francês', null, 'names'],
    ['Pão Sem Glúten', null, 'without'],
    ['Biscoito de Arroz', 'Não contém glúten.', 'without'],
    ['Biscoito Gluten Free', null, 'without'],
    ['Bolo', 'Livre de lactose, ovos e glúten', 'without'],
    ['Bolo', 'Contém glúten. Não contém lactose.', 'names'],
    ['Pão Italiano', 'Temos também opção sem glúten', 'names'],
    ['Arroz Branco', null, 'silent'],
    ['Arroz', 'Pode conter traços de trigo', 'names'],
    ['Farinha de Arroz', null, 'silent'],
  ] as const)('gluten: %s, %s: %s', (title, body, verdict) => {
    expect(judge({ title, body }, exclusions, lexicon)).toBe(verdict);
  });

  it.each([
    ['Leite Zero Lactose', 'names'],
    ['Leite de Aveia', 'silent'],
    ['Sorvete Vegano', 'without'],
    ['Sorvete', 'names'],
    ['Picolé de Fruta Sem Leite', 'without'],
  ] as const)('milk: %s: %s', (title, verdict) => {
    expect(judge({ title }, milk, lexicon)).toBe(verdict);
  });
});
