import { existsSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ILLUSTRATIONS, illustrationOf } from '../../src/domain/illustrations.ts';

const drawingOf = (...about: (string | null)[]) =>
  illustrationOf(about).replace(/^\/ilustracoes\/|\.svg$/g, '');

describe('the drawing of a record without a picture', () => {
  it.each([
    ['Comida italiana', 'massa'],
    ['Comida de rua', 'prato'],
    ['Alimentação do bebê', 'bebe'],
    ['PÃES', 'pao'],
    ['Flores e presentes', 'flor'],
    ['Móveis', 'movel'],
    ['Coisas que ninguém conhece', 'vitrine'],
    ['', 'vitrine'],
  ])('%s: %s', (category, drawing) => {
    expect(drawingOf(category)).toBe(drawing);
  });

  it('is chosen by the first text that says something', () => {
    expect(drawingOf(null, 'Tênis de corrida')).toBe('tenis');
    expect(drawingOf('Diversos', 'Violão de nylon')).toBe('musica');
    expect(drawingOf('Calçados', 'Violão de nylon')).toBe('tenis');
    expect(drawingOf(null, 'DIPIRONA 500 MG COM X 10', 'Drogaria Central')).toBe('farmacia');
  });

  it('is there, small and without script', () => {
    for (const path of ILLUSTRATIONS) {
      const file = `public${path}`;
      expect([path, existsSync(file) && statSync(file).size < 1024]).toEqual([path, true]);
      expect(readFileSync(file, 'utf8')).not.toMatch(/script|href/);
    }
  });
});
