import { readFileSync } from 'node:fs';
import { z } from 'zod';

const pattern = z.string().transform((source) => new RegExp(source, 'i'));

const questionSchema = z.strictObject({
  id: z.string(),
  language: z.string(),
  kind: z.enum(['complaint', 'brand', 'substance', 'food']),
  query: z.string(),
  /** One of the titles must match. */
  good: pattern.optional(),
  /** The first title must match. */
  first: pattern.optional(),
  /** No title may match. */
  never: pattern.optional(),
});

/** A question as people ask it of a pharmacy or a market, and what its first five titles have to say. */
export type Question = z.infer<typeof questionSchema>;

/** Whether an answer is good; if not, which rule it breaks. */
export type Verdict = { good: true } | { good: false; why: 'empty' | 'good' | 'first' | 'never' };

const JUDGED = 5;

/** The everyday questions, in the order of their file. */
export function readQuestions(): Question[] {
  return readFileSync(new URL('questions.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => questionSchema.parse(JSON.parse(line)));
}

/** Judges the first five titles of an answer; accents, capitals and double spaces do not count. */
export function judgeTitles(question: Question, titles: readonly string[]): Verdict {
  const plain = titles.slice(0, JUDGED).map(foldTitle);
  const [top] = plain;
  if (top === undefined) return { good: false, why: 'empty' };
  const { good, first, never } = question;
  if (first && !first.test(top)) return { good: false, why: 'first' };
  if (good && !plain.some((title) => good.test(title))) return { good: false, why: 'good' };
  if (never && plain.some((title) => never.test(title))) return { good: false, why: 'never' };
  return { good: true };
}

function foldTitle(title: string): string {
  return title.normalize('NFD').replace(/\p{M}/gu, '').replace(/\s+/g, ' ').trim();
}
