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
