import { LANGUAGE, SPAN } from '../../domain/relevance.ts';
import type { Entry } from '../lexicon-types.ts';
import type { Unit } from '../text/tokenize.ts';
import type { Candidate } from './find.ts';
import type { Prior } from './languages.ts';

/** A meaning of a span: `value` is the quality of the form times the prior of its language (`plausible`). */
export type Reading = { entry: Entry; value: number; quality: number; plausible: number };

/** Positions of units with their readings, best first. */
export type Span = { at: number[]; readings: Reading[] };

const KOREAN_PARTICLES = new Set([...'을를이가은는의에도로와과']);
const WORDS = new Intl.Segmenter('zh', { granularity: 'word' });

/** Chooses spans that do not overlap, greedily by length times quality and language prior. */
export function chooseSpans(
  units: readonly Unit[],
  candidates: readonly Candidate[],
  prior: Prior,
): Span[] {
  const ranked = withoutRivals([...collectSpans(candidates, prior).values()])
    .map((span) => ({ span, rank: rankOf(span) }))
    .sort((a, b) => b.rank - a.rank);
  const taken = new Set<number>();
  const chosen: Span[] = [];
  let breaks: Set<number> | null = null;
  for (const { span } of ranked) {
    if (span.at.some((position) => taken.has(position))) continue;
    const [only] = span.at;
    if (only !== undefined && span.at.length === 1 && units[only]?.spaced === false) {
      breaks ??= wordBreaks(units);
      if (!isSignal(span) && !standsAlone(units, only, taken, breaks)) continue;
    }
    for (const position of span.at) taken.add(position);
    chosen.push(span);
  }
  return chosen.sort((a, b) => (a.at[0] ?? 0) - (b.at[0] ?? 0));
}

function collectSpans(candidates: readonly Candidate[], prior: Prior): Map<string | number, Span> {
  const spans = new Map<string | number, Span>();
  for (const { entry, at, quality } of candidates) {
    const key = at.length === 1 ? (at[0] ?? 0) : at.join(',');
    const span = spans.get(key) ?? { at, readings: [] };
    spans.set(key, span);
    const plausible = prior.get(entry.language) ?? LANGUAGE.leastPrior;
    const value = quality * plausible * kindFactor(entry);
    const same = span.readings.find((reading) => reading.entry.target === entry.target);
    if (same !== undefined && same.value >= value) continue;
    // Removed and pushed again, so that ties keep the order of the lexicon.
    if (same !== undefined) span.readings.splice(span.readings.indexOf(same), 1);
    span.readings.push({ entry, value, quality, plausible });
  }
  for (const span of spans.values()) span.readings.sort((a, b) => b.value - a.value);
  return spans;
}

// Hand-written forms win over harvested ones that overlap, unless the harvested one contains them.
function withoutRivals(spans: Span[]): Span[] {
  const written = spans.filter((span) => !isHarvested(span) && !isSignal(span));
  return spans.filter(
    (span) =>
      !isHarvested(span) ||
      !written.some(({ at }) => overlap(at, span.at) && !at.every((one) => span.at.includes(one))),
  );
}

function isHarvested(span: Span): boolean {
  return span.readings[0]?.entry.target.startsWith('+') ?? false;
}

function overlap(a: readonly number[], b: readonly number[]): boolean {
  return a.some((position) => b.includes(position));
}

function kindFactor(entry: Entry): number {
  if (entry.purpose) return SPAN.purpose;
  return entry.target === '!polite' ? SPAN.polite : 1;
}

// A form of an unlikely language wins only if it is longer.
function rankOf(span: Span): number {
  const [best] = span.readings;
  if (!best) return 0;
  const likely = Math.min(1, best.value / Math.max(best.quality, 0.01));
  const plausible = SPAN.anyLanguage + (1 - SPAN.anyLanguage) * likely;
  return span.at.length * best.quality * plausible * (isSignal(span) ? SPAN.signal : 1);
}

function isSignal(span: Span): boolean {
  return span.readings[0]?.entry.target.startsWith('!') ?? false;
}

// A single character of an unspaced script is a word only with word boundaries on both sides.
function standsAlone(
  units: readonly Unit[],
  at: number,
  taken: ReadonlySet<number>,
  breaks: ReadonlySet<number>,
): boolean {
  const unit = units[at];
  const next = units[at + 1];
  const left = unit?.starts || taken.has(at - 1);
  const right = !next || next.starts || taken.has(at + 1) || KOREAN_PARTICLES.has(next.text);
  return (left && right) || (breaks.has(at) && breaks.has(at + 1));
}

function wordBreaks(units: readonly Unit[]): Set<number> {
  const breaks = new Set<number>([0, units.length]);
  const starts = new Map<number, number>();
  let text = '';
  for (const [position, unit] of units.entries()) {
    if (unit.starts || unit.spaced) text += ' ';
    starts.set(text.length, position);
    text += unit.accented;
  }
  for (const { segment, index, isWordLike } of WORDS.segment(text)) {
    const from = starts.get(index);
    const to = starts.get(index + segment.length) ?? starts.get(index + segment.length + 1);
    if (!isWordLike) continue;
    if (from !== undefined && units[from]?.script !== 'hangul') breaks.add(from);
    if (to !== undefined && units[to]?.script !== 'hangul') breaks.add(to);
  }
  return breaks;
}
