const CYRILLIC = 'абвгдежзиклмнопрстуфхцчшщъыьэюяєі';
const LATIN = [
  ...['a', 'b', 'v', 'g', 'd', 'e', 'j', 'z', 'i', 'k', 'l', 'm', 'n', 'o', 'p', 'r', 's', 't'],
  ...['u', 'f', 'h', 'c', 'ch', 'sh', 'sh', '', 'i', '', 'e', 'iu', 'ia', 'e', 'i'],
];
const TABLE = new Map([...CYRILLIC].map((letter, at) => [letter, LATIN[at] ?? '']));

/** Spells a folded Cyrillic word in Latin letters: brands are often written by ear (самсунг). */
export function transliterate(word: string): string {
  return [...word].map((letter) => TABLE.get(letter) ?? letter).join('');
}

/** Endings of Russian and Ukrainian words in Latin letters. */
const CUT =
  /(iami|ami|iah|ah|iam|am|ogo|ego|omu|emu|iaia|aia|ov|ev|iv|oi|ei|oe|ee|ie|ii|ih|im|om|em|iu|ia|u|a|e|i|o)$/;

/** The stem of a Cyrillic word that somebody spelled in Latin letters, whatever their way (zerna, zernah, zernakh). */
export function stemRomanised(word: string): string {
  const spelled = word
    .replace(/shch|sch/g, 'sh')
    .replace(/zh/g, 'j')
    .replace(/kh|x/g, 'h')
    .replace(/ts/g, 'c')
    .replace(/w/g, 'v')
    .replace(/y[eo]/g, 'e')
    .replace(/[yj](?=[au])/g, 'i')
    .replace(/y/g, 'i')
    // Ukrainian г is heard as h.
    .replace(/g/g, 'h')
    .replace(/(.)\1/g, '$1');
  const cut = spelled.replace(CUT, '');
  return cut.length >= 3 ? cut : spelled;
}
