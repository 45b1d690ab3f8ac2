import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadLexicon } from '../../src/understand/lexicon/lexicon.ts';
import { measuresIn } from '../../src/understand/text/measures.ts';
import { expandShorthand, readShorthand } from '../../src/understand/text/shorthand.ts';
import { tokenize } from '../../src/understand/text/tokenize.ts';

const lexicon = loadLexicon();
const expand = (text: string) => expandShorthand(tokenize(text), text, lexicon.shorthand);
const read = (text: string) =>
  expand(text)
    .map((unit) => unit.accented)
    .join(' ');
const goods = (text: string) =>
  expand(text)
    .filter((unit) => !unit.packaging)
    .map((unit) => unit.text)
    .join(' ');

describe('shorthand in titles', () => {
  it.each([
    ['AGUA MIN S/GAS 500ML', 'água mineral sem gás 500ml'],
    ['AGUA MINERAL C/ GAS', 'agua mineral com gás'],
    ['REFRI COLA 2LT', 'refrigerante cola 2lt'],
    ['CERV LATA', 'cerveja lata'],
    ['BISC RECH CHOC', 'biscoito recheado chocolate'],
    ['SAB LIQ', 'sabonete líquido'],
    ['SAB PO 1KG', 'sabão em pó 1kg'],
    ['GELAT SAB UVA', 'gelatina sabor uva'],
    ['PAP HIG C/12', 'papel higiênico com 12'],
    ['LEITE COND', 'leite condensado'],
    ['COND SEDA', 'condicionador seda'],
    ['AR COND SPLIT', 'ar condicionado split'],
    ['QJO MUSS FAT', 'queijo mussarela fat'],
    ['FEIJ PTO T1', 'feijão preto tipo 1'],
    ['CAMISETA M/C PTO', 'camiseta manga curta preto'],
    ['Refrig. Cola', 'refrigerante cola'],
    ['Tênis p/ corrida', 'tênis para corrida'],
    ['PL MAE ASUS', 'placa mãe asus'],
    ['LEITE COM CHOCOLATE', 'leite com chocolate'],
    ['VITAMINA C 500MG COM ZINCO', 'vitamina c 500mg com zinco'],
  ])('%s is %s', (title, meaning) => expect(read(title)).toBe(meaning));

  it.each([
    [
      'PARACETAMOL 500 MG COM REV CT BL AL PLAS TRANS X 20',
      'paracetamol 500 mg comprimido revestido 20',
    ],
    ['CLOZAPINA 100 MG COM CT BL AL AL X 30', 'clozapina 100 mg comprimido 30'],
    ['AMOXICILINA 500MG CAP GEL DURA CT BL X 21', 'amoxicilina 500mg capsula gelatinosa dura 21'],
    [
      'DIPIRONA 500 MG/ML SOL OR CT FR GOT PLAS LEIT X 20 ML',
      'dipirona 500 mg ml solucao oral gotas 20 ml',
    ],
    [
      'INSULINA 100 UI/ML SUS INJ CT FA VD X 10 ML + 2 AGULHAS',
      'insulina 100 ui ml suspensao injetavel 10 ml 2',
    ],
    ['CERV SKOL LT 350ML CX 12', 'cerveja skol 350ml 12'],
  ])('of %s only the goods are no packaging', (title, meaning) =>
    expect(goods(title)).toBe(meaning),
  );

  it('tells litres from cans', () => {
    expect(read('REFRI 2 LT')).toBe('refrigerante 2 lt');
    expect(read('CERV SKOL LT 350ML')).toBe('cerveja skol lata 350ml');
    expect(read('CERV SKOL 12 LT 350ML')).toBe('cerveja skol 12 lata 350ml');
  });

  it('keeps what was written', () => {
    expect(expand('PAP HIG').map((unit) => unit.written)).toEqual(['pap', 'hig']);
    expect(expand('CX SOM JBL').map((unit) => unit.written)).toEqual([
      'cx som',
      'cx som',
      'cx som',
      undefined,
    ]);
    expect(expand('CT BL AL').map((unit) => unit.written ?? unit.text)).toEqual(['ct', 'bl', 'al']);
  });

  it('leaves the measures readable', () => {
    for (const title of [
      'OVOS C/30',
      'REFRI COLA PET 2LT CX 6 UN',
      'SSD 1 TB',
      'DIPIRONA 500 MG/5 ML SOL OR',
    ]) {
      const tokens = (units: ReturnType<typeof expand>) =>
        measuresIn(units).map(({ token }) => token);
      expect(tokens(expand(title)), title).toEqual(tokens(tokenize(title)));
    }
  });
});

describe('shorthand in queries', () => {
  it.each([
    ['refri 2 litros', 'refrigerante 2 litros'],
    ['cerv lata', 'cerveja lata'],
    ['água s/ gás', 'água sem gás'],
    ['leite cond', 'leite condensado'],
    ['hd ext 1tb', 'hd externo 1tb'],
  ])('%s is %s', (query, meaning) => expect(read(query)).toBe(meaning));

  it.each([
    'det är bra',
    'com sal',
    'shoes for men',
    'ac/dc shirt',
    'cap',
    'pet',
    'červ',
    'sol',
    'pap',
    'w/o sugar',
    'al pacino',
  ])('%s stays as it is', (query) => expect(expand(query)).toEqual(tokenize(query)));

  it('expands no word that means something else in another language', () => {
    const clashes = [...lexicon.shorthand].flatMap(([word, forms]) =>
      forms
        .filter(({ words, when }) => words.length === 1 && when.any && !word.endsWith('/'))
        .filter(
          () =>
            word.length < 4 ||
            ['pt', 'en', 'es'].some((language) => {
              const meant = lexicon.languages.get(language)?.exact.get(word);
              const own = lexicon.languages.get('pt')?.exact.get(forms[0]?.meant[0]?.text ?? '');
              return meant?.some(({ target }) => !own?.some((entry) => entry.target === target));
            }),
        )
        .map(() => word),
    );
    // "Refri" is a fridge in Spanish, in Brazil a soft drink; the rest cannot be anything else.
    expect(clashes.sort()).toEqual(['fgo', 'iog', 'pct', 'qjo', 'refri']);
  });
});

describe('the file of short forms', () => {
  it('is refused with a condition that there is none of', () => {
    expect(() => readShorthand('lt\tlata\tsometimes')).toThrow('lt: no condition sometimes');
  });

  it('has no line twice', () => {
    const keys = [...lexicon.shorthand.values()]
      .flat()
      .map(({ words, when }) => `${words.join(' ')} ${Object.keys(when).sort()}`);
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  });

  it('never fails on hostile text, loses no unit and measures within it', () => {
    const form = fc.constantFrom(
      ...lexicon.shorthand.keys(),
      '500 MG',
      '2L',
      '/',
      '.',
      'COM REV',
      'CT',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.array(form, { maxLength: 30 }).map((words) => words.join(' ').toUpperCase()),
    );
    fc.assert(
      fc.property(text, (hostile) => {
        const units = expand(hostile);
        const written = units.map((unit) => unit.written ?? unit.text).join(' ');
        for (const { text: word } of tokenize(hostile)) expect(written).toContain(word);
        for (const { at } of measuresIn(units))
          for (const place of at) expect(units[place]).toBeDefined();
      }),
    );
  });
});
