import { fold } from './text.ts';
import type { Unit } from './tokenize.ts';

/** A unit, or the digits or letters of one that mixes them ("600ml", "12x350ml"). */
export type Piece = {
  text: string;
  digits: boolean;
  /** Position of its unit. */
  at: number;
  /** What stands before it; empty where it is glued. */
  gap: string;
  spaced: boolean;
};

/** A text cut into pieces, and what stands behind the last one. */
export type Cut = { pieces: readonly Piece[]; end: string };

const DIGITS = /^\d+$/;
const MIXED = /\d+|\D+/g;
/** `cmx` in "40cmx60cm". */
const TIMES_BEHIND = /^\D{1,3}x$/;

/** Cuts units where digits meet letters. */
export function piecesOf(units: readonly Unit[]): Piece[] {
  const pieces: Piece[] = [];
  let gap = ' ';
  for (const [at, { text, spaced, after }] of units.entries()) {
    for (const part of /\d/.test(text) ? (text.match(MIXED) ?? []) : [text]) {
      const digits = DIGITS.test(part);
      const last = pieces[pieces.length - 1];
      if (digits && gap === '' && last?.at === at && TIMES_BEHIND.test(last.text)) {
        last.text = last.text.slice(0, -1);
        pieces.push({ text: 'x', digits: false, at, gap, spaced });
      }
      pieces.push({ text: part, digits, at, gap, spaced });
      gap = '';
    }
    gap = after;
  }
  return pieces;
}

/** A unit of measure: its dimension by the base unit, and how many of those it is. */
export type UnitOfMeasure = {
  base: string;
  times: number;
  /** Said out or unmistakable: may stand behind a number in words ("dois litros", "meio kg"). */
  said: boolean;
  /** Also a word of its own (a, in): a unit only where no space stands before it. */
  glued: boolean;
};

/** Base unit, how many of it, and the words; `=` before a word needs it glued to the number. */
const TABLE = `
ml 1    ml mls mililitro mililitros mililitre milliliter milliliters millilitre millilitres millilitri мл миллилитр миллилитров 毫升 ミリリットル 밀리리터 مل ملليلتر מל
ml 10   cl centilitro centilitros centilitre
ml 100  dl decilitro decilitros
ml 1000 l lt lts ltr ltrs litro litros litri liter liters litre litres litr litry litrow л литр литра литров літр літра літри літрів 升 公升 リットル 리터 لتر ליטר ליטרים लीटर
mg 0.001 mcg mcgs μg ug microg micrograma microgramas microgram micrograms мкг 微克
mg 1    mg mgs miligrama miligramas miligramo miligramos milligram milligrams milligramm мг миллиграмм 毫克 ミリグラム ملغ ملجم מג
mg 1000 g gr grs gs grama gramas gramo gramos gram grams gramm grammi grammes gramme г гр грамм грамма граммов грам 克 グラム 그램 جرام غرام גרם ग्राम
mg 1000000 kg kgs kilo kilos quilo quilos quilograma quilogramas kilogramo kilogramos kilogram kilograms kilogramm chili кг кило килограмм килограмма 公斤 千克 キロ キログラム 킬로 كيلو كغ كجم קג קילו किलो किग्रा
mm 1    mm milimetro milimetros millimeter millimeters millimetre мм 毫米
mm 10   cm cms centimetro centimetros centimeter centimeters centimetre centimetres zentimeter см сантиметров 厘米 公分 センチ סמ سم
mm 1000 m mt mts mtr mtrs metro metros metre metres meter meters metri м метр метра метров 米 公尺 メートル 미터 متر מטר मीटर
mm 1000000 km kms quilometro quilometros kilometer kilometers
in 1    pol polegada polegadas pulgada pulgadas inch inches =in zoll дюйм дюйма дюймов 英寸 寸 インチ 인치 بوصة אינץ इंच
ft 1    ft feet
oz 1    oz ounce ounces onca oncas
lb 1    lb lbs libra libras pound pounds
w 1     w watt watts вт ватт 瓦 ワット 와트
w 1000  kw kilowatt quilowatt квт
w 0.001 mw
v 1     v volt volts vts =vca =vac =vdc =vcc вольт 伏
a 1     =a =amp =amps ampere amperes
mah 1   mah мач
mah 1000 ah
hz 1    hz hertz гц
hz 1000 khz
hz 1000000 mhz
hz 1000000000 ghz
btu 1   btu btus btuh
hp 1    hp cv
rpm 1   rpm
db 1    db
lm 1    lm lumens
mp 1    mp mpx megapixel megapixels
cc 1    cc cilindradas
gb 0.001 mb megabytes
gb 1    gb giga gigas gigabyte gigabytes гб
gb 1000 tb tera teras terabyte terabytes тб
un 1    rolo rolos un und unds uni unid unids unidade unidades unidad unidades units pc pcs peca pecas piece pieces stuck шт штук 个 個 개
un 12   duzia duzias docena docenas dozen
fl 1    fl fls folha folhas
ui 1    ui iu u
ui 1000000 mui
meq 1   meq
mmol 1  mmol
kcal 1  kcal
`;

/** One letter, or a word of another kind as well: a number in words before it says nothing. */
const SHORT = 2;
const SAID = new Set(['ml', 'kg', 'cm', 'gb']);

const UNITS = readTable(TABLE);

/** The unit that a folded word stands for, or that the joined characters of a script without spaces do. */
function unitNamed(word: string): UnitOfMeasure | undefined {
  return UNITS.get(word);
}

/** What a dose may be counted by: volume, weight, hours, and the word in `mcg/dose`. */
const PER = new Map<string, { base: string; times: number }>([
  ['h', { base: 'h', times: 1 }],
  ['hora', { base: 'h', times: 1 }],
  ['dose', { base: 'dose', times: 1 }],
  ['jato', { base: 'dose', times: 1 }],
]);

/** What the lower part of a dose ratio stands for (`mg/ml`, `mg/g`, `mcg/dose`); weight counts in grams. */
export function unitPer(word: string): { base: string; times: number } | undefined {
  const other = PER.get(word);
  if (other) return other;
  const unit = UNITS.get(word);
  if (unit?.base === 'ml') return unit;
  return unit?.base === 'mg' ? { base: 'g', times: unit.times / 1000 } : undefined;
}

function readTable(table: string): Map<string, UnitOfMeasure> {
  const units = new Map<string, UnitOfMeasure>();
  for (const line of table.trim().split('\n')) {
    const [base = '', times = '1', ...words] = line.trim().split(/\s+/);
    for (const written of words) {
      const glued = written.startsWith('=');
      const word = fold(glued ? written.slice(1) : written);
      const said = !glued && (word.length > SHORT || SAID.has(word) || /[^a-z]/.test(word));
      units.set(word, { base, times: Number(times), said, glued });
    }
  }
  return units;
}

/** What the two grids of the country are said to have, in volts. */
const LOW = { least: 110, most: 127 };
export const HIGH = { least: 220, most: 240 };
export const isWithin = (value: number, { least, most }: typeof HIGH) =>
  value >= least && value <= most;

/** The token of so many of a unit; `small` is the number where a point is decimal. */
export function tokenOf(number: { value: number; small: number }, unit: UnitOfMeasure): string {
  const { base, times } = unit;
  // Nobody sells "1.500 kg" by the ton.
  const value = base === 'mg' && times === 1_000_000 ? number.small : number.value;
  if (base === 'gb') return memoryToken(value, times);
  if (base === 'v') return `m:${voltage(value)}v`;
  return `m:${write(value * times)}${base}`;
}

// The grid of one place is 110, 115 or 127 volts, that of another 220 to 240.
function voltage(value: number): string {
  if (isWithin(value, LOW)) return '110';
  return isWithin(value, HIGH) ? '220' : write(value);
}

const MEMORY = ['mb', 'gb', 'tb'];

// A thousand and 1024 are the same to those who sell.
function memoryToken(value: number, times: number): string {
  let level = times < 1 ? 0 : times > 1 ? 2 : 1;
  let count = value;
  while (level < 2 && count >= 1000) {
    const step = count % 1024 === 0 ? 1024 : 1000;
    if (count % step !== 0) break;
    count /= step;
    level += 1;
  }
  return `m:${write(count)}${MEMORY[level]}`;
}

const EXACT = 1e9;

/** A number as it stands in tokens. */
export const write = (value: number) =>
  String(Number.isInteger(value) && value < EXACT ? value : Number(value.toPrecision(9)));

const MAX_JOINED = 6;
const PERCENT: UnitOfMeasure = { base: '%', times: 1, said: false, glued: false };
const INCHES: UnitOfMeasure = { base: 'in', times: 1, said: false, glued: false };
const QUOTE = /^['\u2032\u2033]+/;

/** The unit of measure that starts at a piece, or is a sign before it, and the piece behind it. */
export function unitAt(cut: Cut, place: number): { of: UnitOfMeasure; next: number } | null {
  const piece = cut.pieces[place];
  const gap = piece ? piece.gap : cut.end;
  if (gap !== '' && gap !== ' ') {
    if (/^[ )]*%/.test(gap)) return { of: PERCENT, next: place };
    // "80's" are years; 32" and 40"x60" are inches.
    const quotes = QUOTE.exec(gap)?.[0].length ?? 0;
    if (quotes > 0 && (gap.length > quotes || !piece || piece.text === 'x')) {
      return { of: INCHES, next: place };
    }
    if (!/^[\s).-]*$/.test(gap)) return null;
  }
  if (!piece || piece.digits) return null;
  if (piece.text === 'por' && cut.pieces[place + 1]?.text === 'cento') {
    return { of: PERCENT, next: place + 2 };
  }
  return piece.spaced ? spacedUnit(cut, piece, place) : joinedUnit(cut.pieces, place);
}

function spacedUnit({ pieces }: Cut, piece: Piece, place: number) {
  const behind = pieces[place + 1];
  // Oil is "5W30", and "m2" is no length.
  if (behind?.digits && behind.at === piece.at) return null;
  const of = unitNamed(piece.text);
  return !of || (of.glued && piece.gap !== '') ? null : { of, next: place + 1 };
}

function joinedUnit(pieces: readonly Piece[], place: number) {
  let joined = '';
  let longest: { of: UnitOfMeasure; next: number } | null = null;
  for (let next = place; next < place + MAX_JOINED; next += 1) {
    const piece = pieces[next];
    if (!piece || piece.spaced || (next > place && piece.gap !== '')) break;
    joined += piece.text;
    const of = unitNamed(joined);
    if (of) longest = { of, next: next + 1 };
  }
  return longest;
}
