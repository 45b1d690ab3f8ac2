import { nameKey, placeKeyOf } from './places.ts';

/** The states of Brazil by their codes. */
const STATES = new Map(
  Object.entries({
    ...{ ac: 'acre', al: 'alagoas', ap: 'amapa', am: 'amazonas', ba: 'bahia', ce: 'ceara' },
    ...{ df: 'distrito federal', es: 'espirito santo', go: 'goias', ma: 'maranhao' },
    ...{ mt: 'mato grosso', ms: 'mato grosso do sul', mg: 'minas gerais', pa: 'para' },
    ...{ pb: 'paraiba', pr: 'parana', pe: 'pernambuco', pi: 'piaui', rj: 'rio de janeiro' },
    ...{ rn: 'rio grande do norte', rs: 'rio grande do sul', ro: 'rondonia', rr: 'roraima' },
    ...{ sc: 'santa catarina', sp: 'sao paulo', se: 'sergipe', to: 'tocantins' },
  }),
);
const STATE_NAMES = new Map([...STATES].map(([code, name]) => [name, code]));

/** Names of Brazil in the languages of the lexicon. */
const COUNTRY = new Set(
  [
    ...['Brasil', 'Brazil', 'Brésil', 'Brasile', 'Brasilien', 'Brazilië', 'Brazylia', 'Brezilya'],
    ...['Brazílie', 'Brazília', 'Brazilia', 'Brasiilia', 'BR', 'BRA'],
    ...['Бразилия', 'Бразилія', 'Βραζιλία', 'البرازيل', 'برزیل', 'ברזיל', 'ब्राज़ील', 'ब्राजील'],
    ...['巴西', 'ブラジル', '브라질', 'บราซิล'],
  ].map(nameKey),
);
const MOST_STATE_WORDS = 4;

/** Returns the code of a Brazilian state given its name or code; any other name is only folded. */
export function stateKey(state: string): string {
  const key = nameKey(state);
  return STATE_NAMES.get(key) ?? key;
}

/** One reading of a place name: its key, and the state it names, if any. */
export type RegionalName = { key: string; state: string | null };

/**
 * Returns the readings of a place name: as written, without a trailing country, and without a trailing state and
 * country ("Campinas - SP, Brasil"). The whole name comes first.
 */
export function regionalNames(name: string): RegionalName[] {
  const words = nameKey(name).split(' ');
  const found: RegionalName[] = [{ key: placeKeyOf(words), state: null }];
  const last = words[words.length - 1] ?? '';
  const inCountry = words.length > 1 && COUNTRY.has(last) ? words.slice(0, -1) : words;
  if (inCountry !== words) found.push({ key: placeKeyOf(inCountry), state: null });
  for (let size = Math.min(MOST_STATE_WORDS, inCountry.length - 1); size > 0; size -= 1) {
    const state = inCountry.slice(-size).join(' ');
    const code = STATE_NAMES.get(state) ?? (STATES.has(state) ? state : null);
    if (code === null) continue;
    found.push({ key: placeKeyOf(inCountry.slice(0, -size)), state: code });
  }
  return found;
}

/** Removes a trailing country from a name. */
export function withoutCountry(name: string): string {
  const [, rest = '', last = ''] =
    /^(.*[^\s,/([;–—-])[\s,/([;–—-]+([^\s,/([;)]+)\)?$/u.exec(name.trim()) ?? [];
  return COUNTRY.has(nameKey(last)) ? rest : name;
}

/** Returns the part of a name before its first comma, slash, bracket or dash: "Copacabana, Rio de Janeiro". */
export function firstPart(name: string): string {
  return (/^[^,/([;]*?(?=\s+[-–—]\s+|[,/([;]|$)/.exec(name)?.[0] ?? name).trim() || name;
}

/** Removes a trailing city and region from a district's name, if they match the given city. */
export function districtOf(name: string, city: string): string {
  const first = firstPart(name);
  const rest = nameKey(name.slice(name.indexOf(first) + first.length));
  const cityKeys = regionalNames(city).map(({ key }) => key);
  const isThere =
    COUNTRY.has(rest) || regionalNames(rest).some(({ key }) => cityKeys.includes(key));
  return isThere ? first : name;
}
