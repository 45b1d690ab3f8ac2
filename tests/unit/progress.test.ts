import { expect, it } from 'vitest';
import { timeLeft } from '../../scripts/command.ts';

it.each([
  ['nothing is done', 5000, 0, 10, ''],
  ['all is done', 5000, 10, 0, ''],
  ['a fifth is done', 5000, 2, 8, ', 20 s left'],
  ['it takes long', 60_000, 1, 3, ', 3 min 0 s left'],
])('tells the time left when %s', (_, spentMs, done, left, words) => {
  expect(timeLeft(spentMs, done, left)).toBe(words);
});
