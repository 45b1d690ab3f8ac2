import { describe, expect, it } from 'vitest';
import { remembered } from '../../src/domain/remembered.ts';

describe('a memoized function', () => {
  it('makes the value of a key once', () => {
    const asked: string[] = [];
    const lengthOf = remembered((word: string) => asked.push(word) && word.length);
    expect(['pão', 'leite', 'pão'].map(lengthOf)).toEqual([3, 5, 3]);
    expect(asked).toEqual(['pão', 'leite']);
  });

  it('is bounded, and answers the same after eviction', () => {
    const asked: number[] = [];
    const double = remembered((number: number) => asked.push(number) && number * 2, 2);
    expect([1, 2, 1, 3, 3, 1].map(double)).toEqual([2, 4, 2, 6, 6, 2]);
    expect(asked).toEqual([1, 2, 3, 1]);
  });
});
