import { describe, expect, it } from 'vitest';
import { districtOf, firstPart, regionalNames, withoutCountry } from '../../src/domain/regions.ts';

const last = (name: string) => regionalNames(name).at(-1);

describe('a place with its region', () => {
  it.each([
    ['Campinas', 'campinas', null],
    ['Campinas SP', 'campinas', 'sp'],
    ['Campinas - SP', 'campinas', 'sp'],
    ['Campinas (SP), Brasil', 'campinas', 'sp'],
    ['Campinas, São Paulo, Brazil', 'campinas', 'sp'],
    ['Natal, Rio Grande do Norte', 'natal', 'rn'],
    ['Santos, Brasilien', 'santos', null],
    ['Сантос, Бразилия', 'сантос', null],
    ['Santos, ブラジル', 'santos', null],
    ['Rio de Janeiro/RJ', 'rio de janeiro', null],
    ['Brasil', 'brasil', null],
    ['Brasília', 'brasilia', null],
    ['SP', 'sao paulo', null],
  ])('%s is %s in %s', (name, key, state) => {
    expect(regionalNames(name)).toContainEqual({ key, state });
  });

  it('is the whole name first, and no other country is cut off', () => {
    expect(regionalNames('Rio Grande do Sul')[0]).toEqual({
      key: 'rio grande do sul',
      state: null,
    });
    expect(regionalNames('Santos, Portugal')).toHaveLength(1);
    expect(last('São Paulo')).toEqual({ key: 'sao paulo', state: null });
  });

  it.each([
    ['圣保罗, 巴西', '圣保罗'],
    ['Rio, Brasil', 'Rio'],
    ['Rio - Brazil', 'Rio'],
    ['Rio (Brazil)', 'Rio'],
    ['Brasil', 'Brasil'],
    ['Campinas, GO', 'Campinas, GO'],
  ])('%s without country is %s', (name, without) => {
    expect(withoutCountry(name)).toBe(without);
  });

  it('is a district of a city only if nothing else stands behind it', () => {
    expect(districtOf('Pinheiros, São Paulo', 'São Paulo')).toBe('Pinheiros');
    expect(districtOf('Pinheiros - São Paulo - SP', 'São Paulo')).toBe('Pinheiros');
    expect(districtOf('Centro, Campinas', 'São Paulo')).toBe('Centro, Campinas');
    expect(districtOf('Saúde/RJ', 'São Paulo')).toBe('Saúde/RJ');
    expect(districtOf('Alto de Pinheiros', 'São Paulo')).toBe('Alto de Pinheiros');
    expect(firstPart('Bresser-Mooca, SP')).toBe('Bresser-Mooca');
  });

  it('is cut in linear time', () => {
    const started = performance.now();
    for (const text of [
      ' - '.repeat(70),
      ','.repeat(200),
      `${'a '.repeat(99)}(`,
      '('.repeat(200),
    ]) {
      for (const cut of [firstPart, withoutCountry, regionalNames]) cut(text);
    }
    expect(performance.now() - started).toBeLessThan(200);
  });
});
