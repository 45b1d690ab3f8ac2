/** Abbreviations that Brazilians use in the names of cities and districts. */
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

/**
 * The form in which names of cities, districts, categories and merchants are compared: without
 * accents, case and punctuation.
 */
export function nameKey(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** The keys under which a merchant's name may be known: "Sal & Brasa" is also written "Sal e Brasa", and "Sal Brasa". */
export function merchantKeys(name: string): string[] {
  const key = nameKey(name);
  return [...new Set([key, nameKey(name.replaceAll('&', ' e ')), key.replaceAll(' e ', ' ')])];
}

/** As `nameKey`, with the usual abbreviations of place names written out ("Vl. Mariana", "SP"). */
export function placeKey(name: string): string {
  return placeKeyOf(nameKey(name).split(' '));
}

/** The same for a name in folded words. */
export function placeKeyOf(words: readonly string[]): string {
  const whole = WHOLE_NAMES.get(words.join(' '));
  return whole ?? words.map((word) => ABBREVIATIONS.get(word) ?? word).join(' ');
}
