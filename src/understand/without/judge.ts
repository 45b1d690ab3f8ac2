import type { Lexicon } from '../lexicon-types.ts';
import type { Candidate } from '../reading/find.ts';
import { readPortuguese } from '../record/title.ts';
import type { Unit } from '../text/tokenize.ts';
import { readUnits } from '../text/words.ts';
import type { Diet, Exclusion, Name, SourceDocument } from '../types.ts';
import { findNames, knownDiets, type Match } from './diets.ts';
import { isOwn } from './excluded-things.ts';

/** What a record says about exclusions: it is without all of them, it names one, or it does not say. */
export type Verdict = 'without' | 'names' | 'silent';

const MAX_CHARS = 2500;
const MAX_WORDS = 200;
const MAX_STEPS = 10;
/** Words that negate a name after them; `DENIES_AFTER` those before it. */
const DENIES = new Set([
  ...[
    'sem',
    'zero',
    '0',
    'livre',
    'livres',
    'isento',
    'isenta',
    'isentos',
    'isentas',
    'without',
    'no',
  ],
  ...['nem', 'nenhum', 'nenhuma', 'ausencia'],
]);
const DENIES_AFTER = new Set(['free', 'zero', '0']);
const HAS = new Set(['contem', 'conter', 'possui', 'leva', 'usa', 'tem', 'inclui', 'utiliza']);
const STEPPED_OVER = new Set([
  ...[
    'e',
    'ou',
    'de',
    'do',
    'da',
    'dos',
    'das',
    'a',
    'o',
    'adicao',
    'adicionado',
    'adicionados',
    'tracos',
  ],
  ...[
    'derivados',
    'base',
    'proteina',
    'ingredientes',
    'and',
    'or',
    'em',
    'qualquer',
    'acrescimo',
    'uso',
  ],
]);
/** Words that refer to another product: "Temos opções sem glúten". */
const OTHERS = new Set([
  'opcao',
  'opcoes',
  'versao',
  'versoes',
  'tambem',
  'consulte',
  'disponivel',
]);
const STOP = /[.;!?\n•|]/;
/** Words that end the head phrase of a title. */
const TURNS = new Set(['para', 'pra', 'pro', 'com', 'sem', 'compativel', 'de', 'do', 'da']);

type Text = { units: Unit[]; candidates: Candidate[]; lexicon: Lexicon };
type Said = { without: boolean; names: boolean; excepted: boolean };

/** Judges a record by its title, category and body. */
export function judge(
  { title, category, body }: SourceDocument,
  exclusions: readonly Exclusion[],
  lexicon: Lexicon,
): Verdict {
  const read = (text: string): Text => {
    const units = readUnits(text, lexicon, MAX_CHARS, MAX_WORDS);
    return { units, candidates: readPortuguese(units, lexicon).candidates, lexicon };
  };
  const texts = { title: read(title), category: read(category ?? ''), body: read(body ?? '') };
  const verdicts = exclusions.map((exclusion) => judgeOne(exclusion, texts));
  if (verdicts.includes('names')) return 'names';
  return verdicts.every((verdict) => verdict === 'without') ? 'without' : 'silent';
}

type Texts = { title: Text; category: Text; body: Text };

function judgeOne({ diet, manner }: Exclusion, { title, category, body }: Texts): Verdict {
  if (manner === 'not') return names(diet, headOf(title)) ? 'names' : 'without';
  const isFood = !isOwn(diet);
  const [inTitle, inBody] = [readFor(diet, title), readFor(diet, body)];
  if (inTitle.without || inBody.without) return 'without';
  if (inTitle.names || (isFood && inBody.names)) return 'names';
  if (!isFood || inTitle.excepted) return 'silent';
  return readFor(diet, category).names ? 'names' : 'silent';
}

/** Returns the head phrase of a title; "com gás" and "de brinquedo" belong to it. */
function headOf({ units, candidates, lexicon }: Text): Text {
  const isPart = ({ text }: Unit, position: number) =>
    (text === 'com' || text === 'de') &&
    candidates.some(({ at }) => at[0] === position && at.length > 1);
  const turn = units.findIndex(
    (unit, position) => position > 0 && TURNS.has(unit.text) && !isPart(unit, position),
  );
  const end = turn < 0 ? units.length : turn;
  return {
    units: units.slice(0, end),
    candidates: candidates.filter(({ at }) => (at[0] ?? 0) < end),
    lexicon,
  };
}

const names = (diet: Diet, text: Text) => readFor(diet, text).names;

function readFor(diet: Diet, text: Text): Said {
  const { units } = text;
  const parts = [diet, ...diet.parts.flatMap((id) => knownDiets().get(id) ?? [])];
  const find = (wanted: readonly Name[]) => findNames(wanted, units, text.candidates, text.lexicon);
  const own = find(diet.names);
  const excepted = parts.flatMap(({ except }) => find(except));
  const named = parts
    .flatMap((part) => [...find(part.names), ...find(part.foods)])
    .filter((match) => !excepted.some(({ from, to }) => match.from >= from && match.to <= to));
  const known = positionsOf([...knownDiets().values()].flatMap((one) => find(one.names)));
  const isDenied = (match: Match) => denied(units, match, known);
  const says = find(diet.says.map((need) => ({ need })));
  return {
    without:
      own.some((match) => isDenied(match) && !isOfOthers(units, match)) ||
      says.some((match) => !isOfOthers(units, match) && units[match.from - 1]?.text !== 'nao'),
    names: named.some((match) => !isDenied(match) && !says.some((said) => within(match, said))),
    excepted: excepted.length > 0,
  };
}

const within = (match: Match, { from, to }: Match) => match.from >= from && match.to <= to;

function positionsOf(matches: readonly Match[]): Set<number> {
  return new Set(
    matches.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at)),
  );
}

/** Returns whether a name is negated: "sem glúten, ovos ou leite", "não contém leite", "gluten free". */
function denied(units: readonly Unit[], { from, to }: Match, known: ReadonlySet<number>): boolean {
  // "leite zero lactose" contains milk: "zero" negates what follows.
  const isLast = !known.has(to + 1) && !STOP.test(units[to - 1]?.after ?? '');
  if (isLast && DENIES_AFTER.has(units[to]?.text ?? '')) return true;
  for (let at = from - 1; at >= Math.max(0, from - MAX_STEPS); at -= 1) {
    const { text = '', after = '' } = units[at] ?? {};
    if (STOP.test(after)) return false;
    if (DENIES.has(text)) return true;
    if (HAS.has(text)) return units[at - 1]?.text === 'nao';
    if (!STEPPED_OVER.has(text) && !known.has(at)) return false;
  }
  return false;
}

function isOfOthers(units: readonly Unit[], { from, to }: Match): boolean {
  return units.slice(Math.max(0, from - 4), to + 3).some(({ text }) => OTHERS.has(text));
}
