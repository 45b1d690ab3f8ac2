import { describe, expect, it } from 'vitest';
import {
  describeValidity,
  formatOpeningHours,
  formatPhone,
  safeUrl,
} from '../../src/components/format.ts';
import { lastDay } from '../../src/domain/validity.ts';

describe('a validity in words, São Paulo time', () => {
  it.each([
    [
      'an end at midnight is the day before',
      '2026-10-30T00:00:00-03:00',
      '2027-01-22T00:00:00-03:00',
      'de 30 de outubro de 2026 a 21 de janeiro de 2027',
    ],
    [
      'one year is said once, the first of a month is 1º',
      '2026-11-01T03:00:00Z',
      '2026-12-02T03:00:00Z',
      'de 1º de novembro a 1º de dezembro de 2026',
    ],
    [
      'hours are said where it is not whole days',
      '2026-11-19T11:30:00Z',
      '2026-11-21T21:00:00Z',
      'de 19 de novembro, às 8h30, a 21 de novembro de 2026, às 18h',
    ],
    [
      'the last minute of a day is its end',
      null,
      '2026-11-30T23:59:59-03:00',
      'até 30 de novembro de 2026',
    ],
    ['an open end', '2026-11-01T03:00:00Z', null, 'a partir de 1º de novembro de 2026'],
    ['no bounds at all', null, null, 'enquanto estiver publicada'],
  ])('%s', (_, from, until, words) => {
    const parts = describeValidity(from, until);
    expect(parts.map(({ text }) => text).join('')).toBe(words);
    const instants = parts.flatMap(({ instant }) => instant ?? []);
    expect(instants).toEqual([from, until].filter((instant) => instant !== null));
  });

  it('gives the last day to search engines as a date of São Paulo, not of Greenwich', () => {
    expect(lastDay('2026-12-01T03:00:00Z')).toBe('2026-11-30');
    expect(lastDay('2026-12-01T01:00:00Z')).toBe('2026-11-30');
  });
});

it('addresses of the catalog are http or https', () => {
  expect(safeUrl('https://example.com/a.jpg')).toBe('https://example.com/a.jpg');
  for (const url of ['javascript:alert(1)', 'data:text/html,x', '//example.com', ' https://x']) {
    expect(safeUrl(url)).toBeNull();
  }
});

describe('how to reach a store', () => {
  it.each([
    ['Mo-Sa 10:00-22:00; Su,PH off', 'seg a sáb 10:00–22:00; dom, feriados fechado'],
    ['24/7', 'Aberto 24 horas'],
  ])('%s', (hours, words) => {
    expect(formatOpeningHours(hours)).toBe(words);
  });

  it('writes numbers of Brazil as people there do, others as they are', () => {
    expect(formatPhone('+5511912345678')).toBe('(11) 91234-5678');
    expect(formatPhone('+4930123456')).toBe('+4930123456');
  });
});
