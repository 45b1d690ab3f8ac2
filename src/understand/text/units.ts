import { fold } from './text.ts';
import type { Unit } from './tokenize.ts';

/** A unit, or a run of digits or letters of one that mixes them ("600ml", "12x350ml"). */
export type Piece = {
  text: string;
  digits: boolean;
  /** Position of its unit. */
  at: number;
  /** The text before it; empty if it is joined to the previous piece. */
  gap: string;
  spaced: boolean;
};

/** The pieces of a text, and the text after the last one. */
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

/** A unit of measure: its base unit, and its factor. */
export type UnitOfMeasure = {
  base: string;
  times: number;
  /** Spelled out or unambiguous, so it may follow a number word ("dois litros", "meio kg"). */
  said: boolean;
  /** Also a common word (a, in): a unit only without a space before it. */
  glued: boolean;
};

/** Lines of base unit, factor and words; `=` marks words that must be joined to the number. */
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

/** Shorter Latin words are ambiguous after a number word, except those of `SAID`. */
const SHORT = 2;
const SAID = new Set(['ml', 'kg', 'cm', 'gb']);

const UNITS = readTable(TABLE);

/** Returns the unit of a folded word, or of joined characters of a script without spaces. */
function unitNamed(word: string): UnitOfMeasure | undefined {
  return UNITS.get(word);
}

/** Denominators of doses besides volume and weight. */
const PER = new Map<string, { base: string; times: number }>([
  ['h', { base: 'h', times: 1 }],
  ['hora', { base: 'h', times: 1 }],
  ['dose', { base: 'dose', times: 1 }],
  ['jato', { base: 'dose', times: 1 }],
]);

/** Returns the denominator unit of a dose (`mg/ml`, `mg/g`, `mcg/dose`); weight in grams. */
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

/** Nominal voltages of the two Brazilian grids. */
const LOW = { least: 110, most: 127 };
export const HIGH = { least: 220, most: 240 };
export const isWithin = (value: number, { least, most }: typeof HIGH) =>
  value >= least && value <= most;

/** Returns the token of a number with its unit; `small` is the number if its point is decimal. */
export function tokenOf(number: { value: number; small: number }, unit: UnitOfMeasure): string {
  const { base, times } = unit;
  // "1.500 kg" is 1.5 kg: nobody sells tons.
  const value = base === 'mg' && times === 1_000_000 ? number.small : number.value;
  if (base === 'gb') return memoryToken(value, times);
  if (base === 'v') return `m:${voltage(value)}v`;
  return `m:${write(value * times)}${base}`;
}

// The grids are labelled 110 to 127 volts, and 220 to 240.
function voltage(value: number): string {
  if (isWithin(value, LOW)) return '110';
  return isWithin(value, HIGH) ? '220' : write(value);
}

const MEMORY = ['mb', 'gb', 'tb'];

// Shops use 1000 and 1024 interchangeably.
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

/** Formats a number for tokens. */
export const write = (value: number) =>
  String(Number.isInteger(value) && value < EXACT ? value : Number(value.toPrecision(9)));

const MAX_JOINED = 6;
const PERCENT: UnitOfMeasure = { base: '%', times: 1, said: false, glued: false };
const INCHES: UnitOfMeasure = { base: 'in', times: 1, said: false, glued: false };
const QUOTE = /^['\u2032\u2033]+/;

/** Reads the unit of measure that starts at a piece, or is a sign before it (%, "); null if there is none. */
export function unitAt(cut: Cut, position: number): { of: UnitOfMeasure; next: number } | null {
  const piece = cut.pieces[position];
  const gap = piece ? piece.gap : cut.end;
  if (gap !== '' && gap !== ' ') {
    if (/^[ )]*%/.test(gap)) return { of: PERCENT, next: position };
    // "80's" is a decade; 32" and 40"x60" are inches.
    const quotes = QUOTE.exec(gap)?.[0].length ?? 0;
    if (quotes > 0 && (gap.length > quotes || !piece || piece.text === 'x')) {
      return { of: INCHES, next: position };
    }
    if (!/^[\s).-]*$/.test(gap)) return null;
  }
  if (!piece || piece.digits) return null;
  if (piece.text === 'por' && cut.pieces[position + 1]?.text === 'cento') {
    return { of: PERCENT, next: position + 2 };
  }
  return piece.spaced ? spacedUnit(cut, piece, position) : joinedUnit(cut.pieces, position);
}

function spacedUnit({ pieces }: Cut, piece: Piece, position: number) {
  const behind = pieces[position + 1];
  // In "5W30" (oil) and "m2" the letters are no unit.
  if (behind?.digits && behind.at === piece.at) return null;
  const of = unitNamed(piece.text);
  return !of || (of.glued && piece.gap !== '') ? null : { of, next: position + 1 };
}

function joinedUnit(pieces: readonly Piece[], position: number) {
  let joined = '';
  let longest: { of: UnitOfMeasure; next: number } | null = null;
  for (let next = position; next < position + MAX_JOINED; next += 1) {
    const piece = pieces[next];
    if (!piece || piece.spaced || (next > position && piece.gap !== '')) break;
    joined += piece.text;
    const of = unitNamed(joined);
    if (of) longest = { of, next: next + 1 };
  }
  return longest;
}
