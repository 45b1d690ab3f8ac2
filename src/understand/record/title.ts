import { LANGUAGE, LEAST_FORM } from '../../domain/relevance.ts';
import type { Lexicon, Need } from '../lexicon-types.ts';
import { isOwner, PART_NAMES } from '../reading/belongings.ts';
import { type Candidate, findForms } from '../reading/find.ts';
import { ancestorsOf, combinedNeed, TOY } from '../reading/parts.ts';
import { chooseSpans, type Span } from '../reading/spans.ts';
import type { Unit } from '../text/tokenize.ts';

/** The analysis of a title; positions are those of its units. */
export type TitleReading = {
  candidates: Candidate[];
  /** The needs that it is about; empty if stuffed. */
  heads: Need[];
  /** Keyword stuffing: it names too many things to be about any. */
  isStuffed: boolean;
  /** The position where the head phrase ends. */
  headEnd: number;
  /** The position where it starts to say what the thing goes with ("para iPhone"). */
  asideStart: number;
  /** Positions of other things than the head: the carrot of a carrot cake. */
  named: Set<number>;
  /** Positions of owners: the phone of a phone case. */
  owners: Set<number>;
};

// The catalog is Portuguese with English loanwords (notebook, smartphone).
const PRIOR = new Map([
  ['pt', 1],
  ['en', LANGUAGE.borrowed],
]);
const MIN_BORROWED = 5;
const MAX_SUBJECTS = 4;
/** Words that end the head of a title. */
const TURNS = new Set(['para', 'pra', 'pro', 'com', 'sem', 'compativel']);
/** Those that introduce other things, not contents of this one. */
const PURPOSES = new Set(['para', 'pra', 'pro', 'compativel']);
const LISTING = new Set(['e', 'ou']);

/** Analyses a title; words of its `brand` are not read as English. */
export function readTitle(
  units: readonly Unit[],
  brand: readonly Unit[],
  lexicon: Lexicon,
): TitleReading {
  const { candidates, spans } = readPortuguese(
    units,
    lexicon,
    new Set(brand.map((unit) => unit.text)),
  );
  const headEnd = headRegion(units, spans);
  const stuffed = isStuffed(spans, headEnd, lexicon);
  const own = stuffed ? [] : headNeeds(units, spans, headEnd, lexicon);
  const imitated = imitatedPositions(units, spans, own, lexicon);
  const named = imitated.length > 0 ? [lexicon.needs.get(TOY) ?? [], own.slice(1)].flat() : own;
  const subjects = named.filter((need) => need.kind !== 'attribute');
  const isService = subjects[0]?.kind === 'service';
  const owners = ownerPositions(candidates, lexicon, (need) =>
    isService ? need.kind === 'item' : isOwner(need, lexicon),
  );
  const isOwned =
    isService || (subjects.length > 0 && !subjects.some((need) => isOwner(need, lexicon)));
  const isPart = !isOwned && isPartOfOwner(units, owners);
  const heads = isPart ? named.filter((need) => need.kind === 'attribute') : named;
  return {
    candidates,
    heads,
    isStuffed: stuffed,
    headEnd,
    asideStart: turnOf(units, PURPOSES),
    named: namedPositions(candidates, heads, lexicon),
    owners: new Set([...(isOwned || isPart ? owners : []), ...imitated]),
  };
}

/** Returns the positions of what a toy imitates: "cafeteira de brinquedo". */
function imitatedPositions(
  units: readonly Unit[],
  spans: readonly Span[],
  [subject]: readonly Need[],
  lexicon: Lexicon,
): number[] {
  const isToy = units.some(({ text }, at) => text === 'brinquedo' && units[at - 1]?.text === 'de');
  if (!isToy || subject?.kind !== 'item') return [];
  if (subject.id === TOY || ancestorsOf(subject.id, lexicon).includes(TOY)) return [];
  const own = spans.find(({ readings }) => readings[0]?.entry.target === subject.id);
  return own?.at ?? [];
}

/** Returns whether a title starts with a part word that the lexicon lacks, before its owner: "Flex iPhone 8". */
function isPartOfOwner(units: readonly Unit[], owners: ReadonlySet<number>): boolean {
  return owners.size > 0 && !owners.has(0) && PART_NAMES.has(units[0]?.text ?? '');
}

/** Returns the positions of owners; for a service ("conserto de …") `isOwning` accepts any item. */
function ownerPositions(
  candidates: readonly Candidate[],
  lexicon: Lexicon,
  isOwning: (need: Need) => boolean,
): Set<number> {
  const owners = candidates.filter(({ entry, quality }) => {
    const need = lexicon.needs.get(entry.target);
    return quality > LEAST_FORM.sure && !entry.purpose && need && isOwning(need);
  });
  return new Set(owners.flatMap(({ at }) => at));
}

/** The candidates in a text, and the spans chosen from them. */
type Found = { candidates: Candidate[]; spans: Span[] };

/** Reads a text of the catalog as Portuguese with English loanwords. */
export function readPortuguese(
  units: readonly Unit[],
  lexicon: Lexicon,
  brand: ReadonlySet<string> = new Set(),
): Found {
  const portuguese = lexicon.languages.get('pt');
  const english = lexicon.languages.get('en');
  // Adjectives inflect for gender; in nouns, another final vowel is another word.
  const isOther = ({ entry, quality }: Candidate) =>
    quality < LEAST_FORM.close && lexicon.needs.get(entry.target)?.kind !== 'attribute';
  const candidates = (portuguese ? findForms(units, portuguese) : []).filter(
    (candidate) => !isOther(candidate),
  );
  const known = new Set(candidates.flatMap((candidate) => candidate.at));
  const isBrand = (word: string) => brand.has(word) || lexicon.brands?.makers.has(word) === true;
  const borrowed = english ? findForms(units, english) : [];
  for (const candidate of borrowed) {
    const { at, entry, quality } = candidate;
    const words = at.flatMap((position) => units[position]?.text ?? []);
    if (entry.purpose || entry.target.startsWith('!') || quality < LEAST_FORM.sure) continue;
    if (at.some((position) => known.has(position)) || words.some(isBrand)) continue;
    if (lexicon.needs.get(entry.target)?.kind === 'attribute') continue;
    if (words.join('').length >= MIN_BORROWED) candidates.push(candidate);
  }
  return { candidates, spans: chooseSpans(units, candidates, PRIOR) };
}

// Forms may contain a turn ("ração para gatos"): the head ends at the first one outside forms.
function headRegion(units: readonly Unit[], spans: readonly Span[]): number {
  const inside = new Set<number>();
  for (const { at, readings } of spans) {
    if (readings[0]?.entry.target.startsWith('!')) continue;
    const last = at[at.length - 1] ?? 0;
    for (let position = at[0] ?? 0; position <= last; position += 1) inside.add(position);
  }
  return turnOf(units, TURNS, inside);
}

/** Finds the first turn after position 0 and not `inside` a form; the length of the title if there is none. */
function turnOf(
  units: readonly Unit[],
  turns: ReadonlySet<string>,
  inside: ReadonlySet<number> = new Set(),
): number {
  const turn = units.findIndex(
    (unit, position) => position > 0 && turns.has(unit.text) && !inside.has(position),
  );
  return turn < 0 ? units.length : turn;
}

function namedPositions(
  candidates: readonly Candidate[],
  heads: readonly Need[],
  lexicon: Lexicon,
): Set<number> {
  const names = candidates.filter(({ entry, at, quality }) => {
    const need = lexicon.needs.get(entry.target);
    return (
      at.length === 1 &&
      quality > LEAST_FORM.sure &&
      need !== undefined &&
      need.kind !== 'attribute'
    );
  });
  const leading = names.filter(({ entry }) => heads.some(({ id }) => id === entry.target));
  const led = new Set(leading.flatMap(({ at }) => at));
  return new Set(names.flatMap(({ at }) => at).filter((position) => !led.has(position)));
}

// The first need is the head; others join it only in a list ("hambúrguer e batata frita").
function headNeeds(
  units: readonly Unit[],
  spans: readonly Span[],
  region: number,
  lexicon: Lexicon,
): Need[] {
  const heads: Need[] = [];
  let end = -1;
  let broken = false;
  for (const span of spans) {
    const [from] = span.at;
    const entry = span.readings[0]?.entry;
    const need = entry && lexicon.needs.get(entry.target);
    if (from === undefined || from >= region || !need || entry.purpose) continue;
    if (need.kind !== 'attribute' && end >= 0) {
      // "Pastilhas de mel e limão" lists ingredients, so only adjacent things count.
      const listed = end + 1 < from && LISTING.has(units[from - 1]?.text ?? '');
      broken ||= !listed;
      if (broken) continue;
    }
    heads.push(need);
    if (need.kind !== 'attribute') end = span.at[span.at.length - 1] ?? from;
  }
  return withForm(withCombinations(heads, spans, lexicon), spans, lexicon);
}

// The dosage form may replace the head: an injection of a painkiller is an injection first.
function withForm(heads: Need[], spans: readonly Span[], lexicon: Lexicon): Need[] {
  const subject = heads.find((need) => need.kind !== 'attribute');
  if (!subject) return heads;
  for (const attribute of needsOf(spans, lexicon)) {
    if (attribute.kind !== 'attribute') continue;
    for (const id of ancestorsOf(subject.id, lexicon)) {
      const form = lexicon.needs.get(lexicon.combinations.get(`${id} ${attribute.id}`) ?? '');
      if (!form || subject.broader.includes(id)) continue;
      return [form, ...heads.filter((need) => need.kind === 'attribute')];
    }
  }
  return heads;
}

// Keyword stuffing: "iphone notebook pizza tênis geladeira".
function isStuffed(spans: readonly Span[], region: number, lexicon: Lexicon): boolean {
  const leading = spans.filter(({ at: [first = 0] }) => first < region);
  const subjects = needsOf(leading, lexicon).filter((need) => need.kind !== 'attribute');
  return new Set(subjects.map((need) => need.id)).size > MAX_SUBJECTS;
}

function withCombinations(heads: Need[], spans: readonly Span[], lexicon: Lexicon): Need[] {
  const subject = heads.find((need) => need.kind !== 'attribute');
  if (!subject) return heads;
  for (const need of needsOf(spans, lexicon)) {
    if (need === subject || (need.kind !== 'attribute' && subject.kind !== 'service')) continue;
    const combined = combinedNeed(subject, need, lexicon);
    if (combined && !heads.includes(combined)) return [combined, ...heads];
  }
  return heads;
}

/** Returns the needs that spans name, without purposes. */
export function needsOf(spans: readonly Span[], lexicon: Lexicon): Need[] {
  return spans.flatMap(({ readings }) => {
    const entry = readings[0]?.entry;
    const need = entry && !entry.purpose ? lexicon.needs.get(entry.target) : undefined;
    return need ? [need] : [];
  });
}
