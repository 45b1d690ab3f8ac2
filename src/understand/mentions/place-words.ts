import type { Unit } from '../text/tokenize.ts';

/** What the words around a name tell about it. */
export type Cues = {
  /** Surely a place: "near …", "… district". */
  at: boolean;
  /** "no Limão" is a place, but "no Natal" may mean "at Christmas". */
  atThe: boolean;
  /** "da Liberdade": "of" with an article, as with many districts. */
  ofThe: boolean;
  /** "de limão", "com limão": "of" or "with", so more likely an ingredient. */
  joined: boolean;
  /** "centro de mesa": the name heads a longer noun phrase. */
  leads: boolean;
};

type Sense = keyof Cues | 'link';

/** Words for "of". */
const OF = 'de del du des d of von vom van z od из от من של';

const list = (sense: Sense, words: string) =>
  words.split(/\s+/).map((word): [string, Sense] => [word, sense]);

/** Words for kinds of places, before or after a name. */
const NOUNS = `bairro bairros distrito regiao zona cidade municipio metro estacao rua avenida av praca
  largo neighborhood neighbourhood district area city town region station barrio colonia ciudad
  quartier ville arrondissement stadtteil viertel bezirk stadt umgebung umkreis gegend quartiere
  citta wijk buurt stad stadsdel dzielnica dzielnicy okolicy ctvrt okoli район районе города
  городе город метро районі місті mahallesi semti semtinde bolgesi ilcesi حي منطقه مدينه שכונת
  地区 地區 区 區 市 町 駅 站 구 시 동 지역 शहर इलाके daerah kota kawasan quan khu ย่าน เขต เมือง`;

// Folded, all languages together: only consulted beside a name of the catalog.
const BEFORE = new Map<string, Sense>([
  ...list('joined', OF),
  ...list('joined', 'com sem ou with without and or mit ohne und con sin avec et sabor c s с со'),
  ...list('link', 'o a os as el la los las le les l il the der die das dem den to y e ال'),
  ...list('ofThe', 'do da dos das'),
  ...list('atThe', 'no na nos nas ao'),
  ...list('at', 'em perto proximo proxima pertinho redor arredores proximidades ali'),
  ...list('at', 'in at near nearby around close next inside within outside'),
  ...list('at', 'en cerca junto alrededor cercanias pres proche vers autour dans à'),
  ...list('at', 'im bei beim nahe um vicino presso pressi nel nella bij rond dichtbij nabij'),
  ...list(
    'at',
    'pa vid nara i ved naer lahella v ve w we przy kolo obok blisko pobliz u langa aproape',
  ),
  ...list('at', 'в во на около возле рядом недалеко близости у біля поруч'),
  ...list('at', 'στο στη στην στον σε κοντα في ب قرب بالقرب عند در نزديك ב ליד קרוב באזור'),
  ...list('at', '在 ใน ที่ แถว ใกล้ tai gan ở di dekat sekitar kat berhampiran'),
  ...list('at', 'край покраи близо във код крај поред близу близини око недалеко'),
  ...list(
    'at',
    'prop vora umber keset kod kraj pored blizu oko blizini ob okoli okrog poleg zraven',
  ),
  ...list('at', 'prie netoli salia arti aplink pie netalu blakus tuvu blizko nedaleko vedla okolo'),
  ...list('at', 'ved naer rundt karibu kwenye katika sa malapit nasa'),
  ...list('at', NOUNS),
]);

const AFTER = new Map<string, Sense>([
  ...list('leads', OF),
  ...list('leads', 'do da dos das'),
  // A country adds nothing to one of its cities.
  ...list('link', 'brasil brazil bresil brasile brasilien brazilie бразилия ブラジル 巴西 브라질'),
  ...list(
    'at',
    'で に の にある 近く の近く 付近 周辺 周边 周邊 附近 的 里 一带 에서 에 의 근처 주변',
  ),
  ...list('at', 'में के का की पास ta te daki deki yakininda yakini yakinlarinda civarinda'),
  ...list('at', 'lahedal juures korval umbruses tuvuma apkartne rajone ახლოს მახლობლად'),
  ...list('at', 'میں قریب کے কাছে এর அருகில்'),
  ...list('at', NOUNS),
]);

const OF_STATES = new Set(['da', 'do', 'de', 'of']);

const MOST_AROUND = 6;
/** Maximum units in a word of a script without spaces. */
const MOST_UNITS = 4;

/**
 * Reads the cue words around the units [`from`, `to`), none before `floor`; returns the cues, and the range
 * [`start`, `end`) of the name with its cue words. Names of `states` may follow those of cities.
 */
export function readAround(
  units: readonly Unit[],
  [from, to]: readonly [number, number],
  floor: number,
  states: ReadonlySet<string>,
): { start: number; end: number; cues: Cues } {
  const cues: Cues = { at: false, atThe: false, ofThe: false, joined: false, leads: false };
  let start = from;
  for (let step = 0; step < MOST_AROUND; step += 1) {
    const word = findWord((size) => senseOf(units, start - size, start, floor, BEFORE));
    if (word === null) break;
    // "suco de limão": "of" only counts right before the name.
    if (word.sense === 'at' || word.sense === 'atThe') cues[word.sense] = true;
    else if (word.sense !== 'link' && step === 0) cues[word.sense] = true;
    start -= word.size;
  }
  let end = to;
  for (let step = 0; step < MOST_AROUND; step += 1) {
    const state = sizeOfState(units, end, states);
    const word =
      state > 0
        ? { size: state, sense: 'at' }
        : findWord((size) => senseOf(units, end, end + size, end, AFTER));
    if (word?.sense === 'leads' && step === 0) cues.leads = true;
    if (word === null || word.sense === 'leads') break;
    if (word.sense === 'at') cues.at = true;
    end += word.size;
  }
  return { start, end, cues };
}

/** Returns the units of a state after a city: "Campinas SP", "Salvador da Bahia"; 0 if there is none. */
function sizeOfState(units: readonly Unit[], at: number, states: ReadonlySet<string>): number {
  if (states.has(units[at]?.text ?? '')) return 1;
  const isOf = OF_STATES.has(units[at]?.text ?? '');
  return isOf && states.has(units[at + 1]?.text ?? '') ? 2 : 0;
}

/** Finds the longest cue word, trying 4 to 1 units. */
function findWord(sense: (size: number) => Sense | undefined) {
  for (let size = MOST_UNITS; size > 0; size -= 1) {
    const found = sense(size);
    if (found !== undefined) return { size, sense: found };
  }
  return null;
}

function senseOf(
  units: readonly Unit[],
  from: number,
  to: number,
  floor: number,
  senses: ReadonlyMap<string, Sense>,
): Sense | undefined {
  if (from < floor || to > units.length) return undefined;
  const word = units.slice(from, to);
  if (word.length > 1 && word.some((unit) => unit.spaced)) return undefined;
  return senses.get(spell(word, 'text')) ?? senses.get(spell(word, 'accented'));
}

const spell = (units: readonly Unit[], as: 'text' | 'accented') =>
  units.map((unit) => unit[as]).join('');
