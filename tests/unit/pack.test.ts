import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { indexSources } from '../../src/understand/lexicon/index-forms.ts';
import { readSources } from '../../src/understand/lexicon/lexicon.ts';
import { packLexicon, unpackLexicon } from '../../src/understand/lexicon/pack.ts';
import { openTable, packTable, piecesOf } from '../../src/understand/lexicon/packed.ts';
import { understand } from '../../src/understand/query.ts';
import { openDocuments } from '../../src/understand/record/document.ts';

describe('a packed table', () => {
  it('finds what was put in, and nothing else', () => {
    const keys = fc.uniqueArray(fc.string({ unit: 'grapheme' }), { maxLength: 60 });
    fc.assert(
      fc.property(keys, fc.string({ unit: 'grapheme' }), (words, other) => {
        const map = new Map(words.map((word, place) => [word, [place, place * 7]]));
        const table = openTable(packTable(map), (numbers) => [...numbers]);
        for (const [word, numbers] of map) expect(table.get(word)).toEqual(numbers);
        expect(table.has(other)).toBe(map.has(other));
        expect(table.get(other)).toEqual(map.get(other));
      }),
    );
  });
});

describe('the packed lexicon', () => {
  const built = indexSources(readSources(), 'packed');
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-pack-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'lexicon.bin');
  writeFileSync(file, packLexicon(built));

  it('understands as the one that it was made from', () => {
    const packed = unpackLexicon(piecesOf(readFileSync(file)), 'packed');
    expect(packed).not.toBeNull();
    if (packed === null) return;
    for (const query of [
      'tênis de corrida barato perto de mim',
      'something for a headache',
      'Handyhülle für iPhone15',
      'корм для собак недорого',
      '犬の餌',
      'ابي دواء للصداع',
      'sasta mobile chahiye',
      '🎂 para sábado',
      'chehol dlya telefona',
      'notebok gamer',
    ]) {
      expect(understand(query, packed), query).toEqual(understand(query, built));
    }
  });

  it('reads documents alike with their languages alone', () => {
    const part = unpackLexicon(piecesOf(readFileSync(file)), 'packed', ['pt', 'en']);
    expect([...(part?.languages.keys() ?? [])]).toEqual(['pt', 'en']);
    if (part === null) return;
    const [read, readByAll] = [openDocuments(part), openDocuments(built)];
    for (const title of [
      'TENIS CORRIDA S/ CADARCO 42',
      'Smart TV 50" 4K',
      'Cerveja puro malte 6x350ml',
    ]) {
      const document = { title, brand: 'Sol', category: 'Bebidas, Mercado', body: 'kit de gamer' };
      expect(read(document)).toEqual(readByAll(document));
    }
  });

  it('is not opened for other files than it was made from', () => {
    expect(unpackLexicon(piecesOf(readFileSync(file)), 'another')).toBeNull();
  });
});
