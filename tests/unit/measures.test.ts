import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measuresIn, numbersIn } from '../../src/understand/text/measures.ts';
import { tokenize } from '../../src/understand/text/tokenize.ts';

const whole = (text: string) =>
  measuresIn(tokenize(text))
    .filter((measure) => !measure.part)
    .map((measure) => measure.token);
const parts = (text: string) =>
  measuresIn(tokenize(text))
    .filter((measure) => measure.part)
    .map((measure) => measure.token);

describe('measures', () => {
  it.each([
    [
      'm:2000ml',
      ['2L', '2 lt', '2LT', '2,0 litros', '2000ML', 'dois litros', 'two liters', '2л', '2升'],
    ],
    ['m:1500ml', ['1.5L', '1,5 litros', '1500 ml', 'um litro e meio', '1½ litro']],
    ['m:500ml', ['meio litro', 'half a liter', '1/2 litro', '500毫升', '50 cl']],
    ['m:2mg', ['2,0 MG', '2mg', '2.00 mg', '0,002 g', '2000 mcg']],
    ['m:1000mg', ['1.000 mg', '1 g', '1000MG', '1 grama']],
    ['m:1250000mg', ['1.250 kg', '1,25 quilos', '1250 g', '1,250KG']],
    ['m:500000mg', ['meio quilo', '500 gr', '0,5kg']],
    ['m:110v', ['110V', '127 volts', '110 v']],
    ['m:bivolt', ['bivolt', '110/220V', '110v/220v', '100-240 V', '127/220']],
    ['m:1tb', ['1TB', '1000 GB', '1024gb']],
    ['m:8gb', ['8 gb', '8192 MB', '8GB']],
    ['m:r13', ['R13', 'aro 13', 'ARO13']],
    ['m:3/4', ['3/4', '3/4"', '3/4 pol']],
    ['m:3/2', ['1.1/2"', '1 1/2 pol', '1½']],
    ['m:32in', ['32"', '32 polegadas', "32''", '32-inch', '32 pol.']],
    ['m:12un', ['12 un', '12 unidades', 'c/12', 'dúzia', '12UND']],
    ['m:6un', ['meia dúzia', 'seis unidades', '6 unds']],
    ['m:100mg/ml', ['100mg/ml', '500 MG/5 ML', '0,1 G/ML', '500mg / 5ml']],
    ['m:70%', ['70%', '70 %', '70 por cento']],
    ['m:40x60', ['40x60', '40 x 60 cm', '40cm x 60cm', '40×60']],
    ['m:100ui/ml', ['100 U/ML', '100UI/ML', '100 iu/ml']],
  ])('%s is read from each of %j', (token, spellings) => {
    for (const spelling of spellings) expect(whole(spelling), spelling).toContain(token);
  });

  it('reads each quantity of sums, multiples and tyres', () => {
    expect(whole('(40,0 + 5,0) MG COM')).toEqual(['m:40mg', 'm:5mg']);
    expect(whole('10MG+20MG')).toEqual(['m:10mg', 'm:20mg']);
    expect(whole('500/125 mg')).toEqual(['m:500mg', 'm:125mg']);
    expect(whole('(30 + 20) MG/G')).toEqual(['m:30mg/g', 'm:20mg/g']);
    expect(whole('(10MG + 3MCG)/ML')).toEqual(['m:10mg/ml', 'm:0.003mg/ml']);
    expect(whole('6X2L')).toEqual(['m:6un', 'm:2000ml']);
    expect(whole('12 x 350 ml')).toEqual(['m:12un', 'm:350ml']);
    expect(whole('8GB/256GB')).toEqual(['m:8gb', 'm:256gb']);
    expect(whole('175/70R13')).toEqual(['m:175/70', 'm:r13']);
    expect(whole('175 70 13')).toEqual(whole('175/70 R 13'));
    expect(whole('CERV SKOL 12 LT 350ML')).toEqual(['m:350ml']);
  });

  it('tells what a wider measure says already', () => {
    expect(parts('500 MG/5 ML')).toEqual(['m:5ml', 'm:500mg']);
    expect(parts('40x60cm')).toEqual(['m:400mm', 'm:600mm']);
    expect(parts('bivolt')).toEqual(['m:110v', 'm:220v']);
  });

  it.each([
    '5W30',
    'iphone15',
    'Galaxy A54',
    "80's rock",
    '2 in 1',
    'one piece',
    'de 10 a 20',
    'X 30',
  ])('reads no measure in %s', (text) => expect(whole(text)).toEqual([]));

  it('tells the units that say it', () => {
    const units = tokenize('Suco de uva 1,5 litro gelado');
    expect(measuresIn(units)).toEqual([{ at: [3, 4, 5], token: 'm:1500ml', part: false }]);
  });

  it('throws at nothing and names positions of the text in order', () => {
    const word = fc.constantFrom(
      ...'1 2,5 1.000 3/4 12x350ml x / + " % mg ml l g kg e meio meia um aro r13 c/ 110 220 v ½ 升 毫 мл'.split(
        ' ',
      ),
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc
        .array(word, { maxLength: 40 })
        .chain((words) => fc.constantFrom('', ' ').map((space) => words.join(space))),
    );
    fc.assert(
      fc.property(text, (hostile) => {
        const units = tokenize(hostile);
        for (const { at, token } of [...measuresIn(units), ...numbersIn(units)]) {
          expect(token).toMatch(/^[mw]:\S+$/);
          expect(token).not.toMatch(/NaN|Infinity|undefined/);
          expect(at.length).toBeGreaterThan(0);
          for (const [place, position] of at.entries()) {
            expect(units[position]).toBeDefined();
            if (place > 0) expect(position).toBeGreaterThan(at[place - 1] ?? 0);
          }
        }
      }),
    );
  });
});

describe('numbers', () => {
  it('are words also where a unit is glued to them, and whole with their decimals', () => {
    const tokens = (text: string) => numbersIn(tokenize(text)).map((number) => number.token);
    expect(tokens('PARACETAMOL 500MG')).toEqual(['w:500']);
    expect(tokens('12,5 mg 1.000 2,0')).toEqual(['w:12.5', 'w:1000', 'w:2']);
    expect(tokens('175/70R13 6x2l')).toEqual(['w:175', 'w:70', 'w:13', 'w:6', 'w:2']);
    expect(tokens('Galaxy A54')).toEqual([]);
  });
});
