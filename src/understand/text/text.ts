const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\u0640]/g;
const APOSTROPHES = /[\u2018\u2019\u02bc\u0060\u00b4\u05f3\u05f4"\u201c\u201d]/g;
const INNER_APOSTROPHE =
  /(?<=[\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Devanagari}])'/gu;
// Combining marks of Latin, Greek, Cyrillic; Hebrew niqqud; Arabic harakat and hamza; the nukta of
// Hindi and Bengali, and the chandrabindu of Bengali.
const MARKS = /[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670\u093c\u0981\u09bc]/g;
// Letters without a Unicode decomposition, right-to-left ones as escapes: ta marbuta, alef maksura, Farsi yeh and
// kaf, alef wasla. In Hindi, chandrabindu is often typed as anusvara, and candra vowels (लैपटॉप) as plain o and e.
const LETTERS = new Map([
  ['ß', 'ss'],
  ['ı', 'i'],
  ['ø', 'o'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ґ', 'г'],
  ['\u0629', '\u0647'],
  ['\u0649', '\u064a'],
  ['\u06cc', '\u064a'],
  ['\u06a9', '\u0643'],
  ['\u0671', '\u0627'],
  ['\u0901', '\u0902'],
  ['\u0949', '\u094b'],
  ['\u0945', '\u0947'],
  ['ς', 'σ'],
]);
const LETTER = /[ßıøæœłđðþґ\u0629\u0649\u06cc\u06a9\u0671\u0901\u0949\u0945ς]/g;

const PLAIN = /^[\n -~]*$/;
/** Set apart before NFKC, which would turn 1½ into 11/2. */
const FRACTIONS = /[\u00bc-\u00be\u2150-\u215e]/g;
/** Digits of Arabic, Persian, Hindi and Bengali, each a contiguous block of ten. */
const DIGITS = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef]/g;

/** Lower-cases and normalises width, digits and quotes, but keeps accents. */
export function lower(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase().replace(/["`]/g, "'");
  return text
    .replace(FRACTIONS, ' $&')
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .replace(DIGITS, digitOf)
    .toLowerCase()
    .normalize('NFC')
    .replace(APOSTROPHES, "'")
    .replace(INNER_APOSTROPHE, '');
}

function digitOf(digit: string): string {
  const code = digit.charCodeAt(0);
  return String(code < 0x0900 ? code & 0xf : (code - 0x0966) % 0x80);
}

/** Removes the accents of text that went through `lower`. */
export function foldLowered(text: string): string {
  if (PLAIN.test(text)) return text;
  const folded = text
    .normalize('NFD')
    .replace(MARKS, '')
    .replace(LETTER, (letter) => LETTERS.get(letter) ?? letter);
  // NFC recomposes Hangul syllables and kana with dakuten.
  return folded.normalize('NFC');
}

/** Folds text for matching: width, case, diacritics, ё, alef, ta-marbuta, niqqud, nukta, dotless i. */
export function fold(text: string): string {
  return foldLowered(lower(text));
}

const CYRILLIC = 'абвгдежзиклмнопрстуфхцчшщъыьэюяєі';
const LATIN = [
  ...['a', 'b', 'v', 'g', 'd', 'e', 'j', 'z', 'i', 'k', 'l', 'm', 'n', 'o', 'p', 'r', 's', 't'],
  ...['u', 'f', 'h', 'c', 'ch', 'sh', 'sh', '', 'i', '', 'e', 'iu', 'ia', 'e', 'i'],
];
const TABLE = new Map([...CYRILLIC].map((letter, at) => [letter, LATIN[at] ?? '']));

/** Transliterates a folded Cyrillic word: brands are often spelled phonetically (самсунг). */
export function transliterate(word: string): string {
  return [...word].map((letter) => TABLE.get(letter) ?? letter).join('');
}
