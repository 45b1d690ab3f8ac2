import { describe, expect, it } from 'vitest';
import { judgeTitles, type Question, readQuestions } from '../search/everyday/judge.ts';

const question: Question = {
  id: 'x',
  language: 'pt',
  kind: 'complaint',
  query: 'xarope pra tosse',
  first: /\bxpe\b/i,
  good: /ambroxol/i,
  never: /\binj\b|vacina/i,
};

describe('everyday questions', () => {
  it('have ids of their own and at least one rule each', () => {
    const questions = readQuestions();
    expect(questions.length).toBeGreaterThanOrEqual(60);
    expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
    for (const { id, good, first, never } of questions) {
      expect([id, good ?? first ?? never]).not.toEqual([id, undefined]);
    }
  });

  it.each([
    ['what is asked for', ['GUACO 5 MG XPE', 'AMBROXOL  6 MG/ML XPE'], { good: true }],
    ['nothing', [], { good: false, why: 'empty' }],
    ['something else first', ['AMBROXOL COM', 'AMBROXOL XPE'], { good: false, why: 'first' }],
    ['none of the good ones', ['GUACO XPE'], { good: false, why: 'good' }],
    ['one that must not come', ['AMBROXOL XPE', 'Váçina INJ'], { good: false, why: 'never' }],
    [
      'one that must not come, in the sixth place',
      ['AMBROXOL XPE', 'a', 'b', 'c', 'd', 'VACINA'],
      { good: true },
    ],
  ])('judges an answer with %s', (_, titles, verdict) => {
    expect(judgeTitles(question, titles)).toEqual(verdict);
  });
});
