/** Common Brazilian abbreviations in names of cities and districts. */
const ABBREVIATIONS = new Map([
  ['av', 'avenida'],
  ['cid', 'cidade'],
  ['jd', 'jardim'],
  ['jdm', 'jardim'],
  ['pq', 'parque'],
  ['pque', 'parque'],
  ['sta', 'santa'],
  ['sto', 'santo'],
  ['v', 'vila'],
  ['vl', 'vila'],
  ['vla', 'vila'],
]);

const WHOLE_NAMES = new Map([
  ['bh', 'belo horizonte'],
  ['poa', 'porto alegre'],
  ['rj', 'rio de janeiro'],
  ['rio', 'rio de janeiro'],
  ['sampa', 'sao paulo'],
  ['sp', 'sao paulo'],
  ['sao paulo sp', 'sao paulo'],
  ['rio de janeiro rj', 'rio de janeiro'],
]);

/** Folds a name for comparison (cities, districts, categories, merchants): no accents, case or punctuation. */
export function nameKey(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Returns the keys of a merchant's name with its variants of "&": "Sal & Brasa", "Sal e Brasa", "Sal Brasa". */
export function merchantKeys(name: string): string[] {
  const key = nameKey(name);
  return [...new Set([key, nameKey(name.replaceAll('&', ' e ')), key.replaceAll(' e ', ' ')])];
}

/** Like `nameKey`, with the usual abbreviations of place names expanded ("Vl. Mariana", "SP"). */
export function placeKey(name: string): string {
  return placeKeyOf(nameKey(name).split(' '));
}

/** Like `placeKey`, for words that are already folded. */
export function placeKeyOf(words: readonly string[]): string {
  const whole = WHOLE_NAMES.get(words.join(' '));
  return whole ?? words.map((word) => ABBREVIATIONS.get(word) ?? word).join(' ');
}
