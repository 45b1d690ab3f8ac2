// What a record has of what a plan wants, as the definition of relevance says it.
import {
  FIELD,
  INFLECTED,
  LAST_LEADING,
  MOST_NOISE,
  MOST_TERMS_WEIGHT,
  ROLE,
  rarity,
  SENSE_SHARE,
  SURE,
} from '../../src/domain/relevance.ts';
import type { Clause, Word } from '../../src/domain/search.ts';

/** The tokens of a record by where its text has them. */
export type Texts = Record<Field, string[]>;
type Field = keyof typeof FIELD.word;
const FIELDS = ['head', 'title', 'aside', 'anywhere'] as const;

/** One thing that a record may have: what of it a record has, 0..1, and whether that is all of it. */
export type Thing = {
  clause: Clause;
  weight: number;
  isRequired: boolean;
  evidence(texts: Texts): { worth: number; isFull: boolean };
};

/** What a record has of all that is wanted. */
export type Evidence = {
  relevance: number;
  isCovered: boolean;
  /** It is the very thing that the query is about. */
  isLed: boolean;
  isNamesake: boolean;
  missing: string[];
  loose: string[];
};

/** Where a record says a token: at its best place. */
const fieldOf = (token: string, texts: Texts) => FIELDS.find((one) => texts[one].includes(token));

/** The things that clauses want of the records of a catalog. */
export function thingsOf(clauses: Clause[], catalog: Texts[]): Thing[] {
  const counts = frequencies(catalog);
  const things = clauses.map((clause) => thingsOfClause(clause, counts, catalog.length));
  const isTerm = ({ clause }: Thing) => clause.kind === 'term';
  const terms = sumOf(things.flat().filter(isTerm));
  if (terms <= MOST_TERMS_WEIGHT) return things.flat();
  const shrunk = (weight: number) => (weight * MOST_TERMS_WEIGHT) / terms;
  return things.flat().map((one) => (isTerm(one) ? { ...one, weight: shrunk(one.weight) } : one));
}

const sumOf = (things: { weight: number }[]) => things.reduce((sum, { weight }) => sum + weight, 0);

/** How many records say each token, wherever. */
function frequencies(catalog: Texts[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const texts of catalog) {
    const tokens = new Set(FIELDS.flatMap((field) => texts[field]));
    for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  }
  return counts;
}

/** The words that some record says one by one, the other words together, and what the clause means. */
function thingsOfClause(clause: Clause, counts: Map<string, number>, all: number): Thing[] {
  const count = (token: string) => counts.get(token) ?? 0;
  const isKnown = ({ token, spelled }: Word) => count(token) > 0 || count(spelled ?? token) > 0;
  const isMeant = clause.meanings.some(({ token }) => count(token) > 0);
  const said = clause.words.filter(({ token }) => count(token) > 0);
  const isNoise = clause.weight <= ROLE.noise;
  if (isNoise && said.every(({ token }) => count(token) > MOST_NOISE * all)) return [];
  const unsaid = clause.words.length - said.length;
  const parts = said.map((word) => {
    const asSpelled = count(word.spelled ?? word.token);
    return { words: [word], share: rarity(asSpelled || count(word.token), all) };
  });
  if (unsaid > 0) parts.push({ words: [], share: unsaid });
  else if (said.length === 0) parts.push({ words: [], share: 1 });
  const whole = parts.reduce((sum, { share }) => sum + share, 0);
  const isRequired = clause.weight > ROLE.soft;
  const hasSense =
    clause.kind === 'concept' && isMeant && (said.length > 0 || clause.names.some(isKnown));
  const literal = clause.weight * (hasSense ? 1 - SENSE_SHARE : 1);
  const things = parts.map(
    ({ words, share }): Thing => ({
      ...{ clause, isRequired },
      // An unexplained common word weighs little; in a concept, each word has its share.
      weight: literal * (clause.kind === 'term' ? share : share / whole),
      evidence: (texts) => {
        const says = words.flatMap((word) => wordEvidence(word, texts, clause));
        return best([...says, ...senseEvidence(FIELD.concept, texts, clause)]);
      },
    }),
  );
  if (!hasSense) return things;
  const fields = { ...FIELD.concept, head: 0.95 };
  const sense: Thing = {
    ...{ clause, weight: clause.weight * SENSE_SHARE, isRequired: false },
    evidence: (texts) => {
      const says = clause.names.flatMap((word) => wordEvidence(word, texts, clause));
      return best([...says, ...senseEvidence(fields, texts, clause)]);
    },
  };
  return [...things, sense];
}

type Found = { worth: number; isFull: boolean };

const best = (found: Found[]): Found => ({
  worth: Math.max(0, ...found.map(({ worth }) => worth)),
  isFull: found.some(({ isFull }) => isFull),
});

function wordEvidence(word: Word, texts: Texts, clause: Clause): Found[] {
  if (!word.belongsTo) return saidEvidence(word, texts, clause.leads ? LAST_LEADING.word : 'aside');
  const isAside = ({ worth }: Found, token: string) =>
    worth > 0 && fieldOf(token, texts) === 'aside';
  return [word.token, word.spelled].flatMap((token) => {
    if (token === null) return [];
    const sureness = token === word.token && word.spelled !== null ? INFLECTED : 1;
    const found = tokenEvidence(token, sureness, FIELD.word, texts, 'aside');
    return found.map((one) => ({
      worth: Math.min(one.worth, sureness * FIELD.word.aside),
      isFull: isAside(one, token),
    }));
  });
}

function saidEvidence({ token, spelled }: Word, texts: Texts, last: Field): Found[] {
  if (spelled === null) return tokenEvidence(token, 1, FIELD.word, texts, last);
  return [
    ...tokenEvidence(spelled, 1, FIELD.word, texts, last),
    ...tokenEvidence(token, INFLECTED, FIELD.word, texts, last),
  ];
}

const senseEvidence = (fields: Record<Field, number>, texts: Texts, clause: Clause): Found[] =>
  clause.meanings.flatMap(({ token, sureness }) =>
    tokenEvidence(token, sureness, fields, texts, clause.leads ? LAST_LEADING.concept : 'aside'),
  );

function tokenEvidence(
  token: string,
  sureness: number,
  fields: Record<Field, number>,
  texts: Texts,
  last: Field,
): Found[] {
  const field = fieldOf(token, texts);
  if (field === undefined) return [];
  const isSaid = FIELDS.indexOf(field) <= FIELDS.indexOf(last);
  return [{ worth: sureness * fields[field], isFull: isSaid && sureness >= SURE }];
}

const NAMED: Evidence = {
  ...{ relevance: 1, isCovered: true, isLed: true, isNamesake: true },
  ...{ missing: [], loose: [] },
};

/** What a record has of these things; null for nothing at all. Its title may be the query itself. */
export function judge(things: Thing[], texts: Texts, isNamed: boolean): Evidence | null {
  if (things.length === 0) {
    return { ...NAMED, isNamesake: false };
  }
  const found = things.map((thing) => ({ thing, ...thing.evidence(texts) }));
  if (found.every(({ worth }) => worth === 0)) return null;
  if (isNamed) return NAMED;
  const worth = found.reduce((sum, { thing, worth: own }) => sum + thing.weight * own, 0);
  const required = found.filter(({ thing }) => thing.isRequired);
  const clauses = [...new Set(required.map(({ thing }) => thing.clause))];
  const of = (clause: Clause) => required.filter(({ thing }) => thing.clause === clause);
  const missing = clauses.filter((clause) => of(clause).every((one) => one.worth === 0));
  const lacking = clauses.filter((clause) => !of(clause).every(({ isFull }) => isFull));
  const labels = (list: Clause[]) => list.map(({ label }) => label);
  return {
    relevance: worth / sumOf(things),
    ...{ isCovered: lacking.length === 0, isNamesake: false },
    isLed: lacking.every(({ leads }) => !leads),
    missing: labels(missing),
    loose: labels(lacking.filter((clause) => !missing.includes(clause))),
  };
}
