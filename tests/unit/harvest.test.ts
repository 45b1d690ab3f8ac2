import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { alignConcepts } from '../../src/harvest/align.ts';
import { writeHarvest } from '../../src/harvest/build.ts';
import type { SourceConcept } from '../../src/harvest/sources.ts';
import { indexSources } from '../../src/understand/lexicon/index-forms.ts';
import { readSources } from '../../src/understand/lexicon/lexicon.ts';
import { parseHarvest, parseNeeds } from '../../src/understand/lexicon/sources.ts';
import { understand } from '../../src/understand/query.ts';

const sources = {
  needs: 'id\tlabel\tbroader\tkind\numbrella\tguarda-chuva\t-\titem\nhat\tchapéu\t-\titem\n',
  combinations: 'need\tparts\n',
  forms: new Map([
    ['pt', 'umbrella: guarda-chuva\nhat: chapéu'],
    ['en', 'umbrella: umbrella\nhat: hat'],
    ['es', 'umbrella: paraguas\nhat: sombrero'],
    ['fr', 'umbrella: parapluie\nhat: chapeau'],
  ]),
  shorthand: '',
  harvest: '',
};

function concept(key: string, names: Record<string, string>, parent: string | null = null) {
  const lists = Object.entries(names).map(([language, name]): [string, string[]] => [
    language,
    [name],
  ]);
  return { key, parent, names: new Map(lists) } satisfies SourceConcept;
}

const UMBRELLA = {
  pt: 'Guarda-chuva',
  en: 'Umbrella',
  es: 'Paraguas',
  sv: 'Paraply',
  de: 'Schirm',
};

describe('the harvest of open sources', () => {
  it('takes a concept for the need whose forms it has in three languages, and learns further names', () => {
    const lexicon = indexSources(sources, 'test');
    const { forms, needs } = alignConcepts([concept('cldr:☂', UMBRELLA)], lexicon);
    expect(needs).toEqual([]);
    expect(forms.get('sv')?.get('umbrella')).toEqual(['Paraply']);
    expect(forms.get('pt')).toBeUndefined();
    const harvest = writeHarvest({ forms, needs });
    const richer = indexSources({ ...sources, harvest }, 'richer');
    expect(understand('paraply', richer).concepts).toEqual(['guarda-chuva']);
  });

  it('leaves a concept alone that two needs claim, or whose name is too long to be asked for', () => {
    const lexicon = indexSources(sources, 'test');
    const { forms } = alignConcepts(
      [
        concept('cldr:a', { pt: 'chapéu', en: 'umbrella', es: 'paraguas', fr: 'chapeau', sv: 'x' }),
        concept('shopify:b', {
          pt: 'peças de reposição para cabos de sombrinha dobrável',
          de: 'Ersatzteile',
        }),
      ],
      lexicon,
    );
    expect([...forms]).toEqual([]);
  });

  it('makes a need of goods that nobody wrote by hand, below the nearest need above them', () => {
    const lexicon = indexSources(sources, 'test');
    const { needs, forms } = alignConcepts(
      [
        concept('shopify:1', UMBRELLA),
        concept('shopify:1-1', { pt: 'Bengalas', de: 'Gehstöcke' }, 'shopify:1'),
      ],
      lexicon,
    );
    expect(needs).toEqual([{ id: '+bengalas', label: 'bengalas', broader: 'umbrella' }]);
    expect(forms.get('de')?.get('+bengalas')).toEqual(['Gehstöcke']);
  });

  it('makes no need of a word that many branches use, whatever stands above it in one of them', () => {
    const lexicon = indexSources(sources, 'test');
    const { needs } = alignConcepts(
      [
        concept('shopify:1', { pt: 'Brinquedos para pássaros' }),
        concept('shopify:1-1', { pt: 'Cordas' }, 'shopify:1'),
        concept('shopify:2', { pt: 'Cordas de harpa' }),
        concept('shopify:3', { pt: 'Varais de corda' }),
      ],
      lexicon,
    );
    expect(needs.map(({ label }) => label)).toEqual([
      'brinquedos para pássaros',
      'cordas de harpa',
      'varais de corda',
    ]);
  });

  it('is committed with at least 36 languages, all of whose forms name a need, and packs into 8 MB', () => {
    const sources = readSources();
    const { needs: text, harvest } = sources;
    expect(gzipSync([text, harvest, ...sources.forms.values()].join('\n')).length).toBeLessThan(
      8e6,
    );
    const { needs, forms } = parseHarvest(harvest);
    const known = new Set([...parseNeeds(text).needs, ...needs].map(({ id }) => id));
    expect(forms.size).toBeGreaterThanOrEqual(36);
    for (const [language, list] of forms) {
      const strangers = list.filter(({ target }) => !known.has(target));
      expect(strangers, language).toEqual([]);
    }
  });
});
