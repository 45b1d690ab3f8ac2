import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../src/config.ts';
import { parseGazetteer } from '../../src/domain/gazetteer.ts';
import { placeKey } from '../../src/domain/places.ts';
import { loadLexicon } from '../../src/understand/lexicon/lexicon.ts';
import {
  type LocatedPlace,
  loadGazetteer,
  placesOfGazetteer,
} from '../../src/understand/mentions/gazetteer.ts';
import { indexPlaces, placesNamed } from '../../src/understand/mentions/places.ts';
import { understand } from '../../src/understand/query.ts';
import type { Place } from '../../src/understand/types.ts';

const entries = loadGazetteer();
/** South, north, west, east. */
const BOXES: Record<string, [number, number, number, number]> = {
  'São Paulo': [-24.01, -23.35, -46.83, -46.36],
  Campinas: [-23.06, -22.7, -47.25, -46.86],
  'Rio de Janeiro': [-23.09, -22.74, -43.8, -43.09],
};

const BRAZIL = [-34, 5.5, -74, -34.7] as const;

describe('the gazetteer that comes with the service', () => {
  it('has several hundred places, each inside the box of its city or of Brazil and rounded', () => {
    expect(entries.length).toBeGreaterThan(500);
    for (const { name, kind, city, latitude, longitude } of entries) {
      const box = BOXES[city] ?? (kind === 'city' ? BRAZIL : undefined);
      const [south, north, west, east] = box ?? [0, 0, 0, 0];
      const isInside = latitude > south && latitude < north && longitude > west && longitude < east;
      expect([name, isInside]).toEqual([name, true]);
      for (const degrees of [latitude, longitude]) {
        expect(degrees).toBe(Math.round(degrees * 1000) / 1000);
      }
    }
  });

  it('states its source, its licence and how exact it is', () => {
    const head = readFileSync('src/understand/gazetteer/places.tsv', 'utf8').slice(0, 900);
    expect(head).toMatch(/Source: .*\n?.*facts/);
    expect(head).toMatch(/approximate/);
    expect(head).toMatch(/Licence/);
    expect(readFileSync('NOTICE', 'utf8')).toContain('src/understand/gazetteer/');
  });

  it('agrees with the list of districts wherever both have a name', () => {
    const rows = readFileSync('tests/bench/districts-sao-paulo.csv', 'utf8').trim().split('\n');
    const ours = new Map(
      entries
        .filter(({ city }) => city === 'São Paulo')
        .map((entry) => [placeKey(entry.name), entry]),
    );
    for (const row of rows.slice(1)) {
      const [name = '', latitude, longitude] = row.split(',');
      const entry = ours.get(placeKey(name));
      expect([name, entry?.latitude]).toEqual([name, Number(latitude)]);
      expect([name, entry?.longitude]).toEqual([name, Number(longitude)]);
    }
  });
});

describe('a gazetteer of an operator', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gazetteer-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const read = (text: string) => {
    const file = join(folder, 'places.tsv');
    writeFileSync(file, text);
    return readConfig({ GAZETTEER_FILE: file }).gazetteer;
  };
  const line = 'Torre Alta\tHigh Tower|~Alta\tlandmark\tPorto Novo\t-10.5\t-50.25';

  it('is read at the start', () => {
    expect(read(`\uFEFF# ours\r\n${line}\r\n`)).toEqual([
      {
        ...{ name: 'Torre Alta', kind: 'landmark', city: 'Porto Novo' },
        ...{ latitude: -10.5, longitude: -50.25 },
        names: [
          { name: 'Torre Alta', weak: false },
          { name: 'High Tower', weak: false },
          { name: 'Alta', weak: true },
        ],
      },
    ]);
    expect(readConfig({}).gazetteer).toEqual([]);
  });

  it.each([
    [
      'Torre\tlandmark\tPorto',
      'line 2: has 3 columns instead of 6, separated by tabs: name, other',
    ],
    [line.replace('landmark', 'tower'), 'line 2: the kind "tower" must be one of city, neighb'],
    [
      line.replace('-10.5', '10,5'),
      'line 2: the latitude "10,5" must be degrees between -90 and 90',
    ],
    [line.replace('-50.25', '-190'), 'line 2: the longitude "-190" must be degrees between -180'],
    [line.replace('High Tower', ''), 'line 2: has an empty name'],
    [line.replace('Porto Novo', ''), 'line 2: names no city'],
    [line.replace('landmark', 'city'), 'line 2: a line of kind city has the same name and city'],
    [`${line}\n${line}`, 'line 3: "Torre Alta" in Porto Novo stands in line 2 already'],
  ])('%j is refused with its line and how to mend it', (text, message) => {
    expect(() => read(`# ours\n${text}\n`)).toThrow(ConfigError);
    expect(() => read(`# ours\n${text}\n`)).toThrow(message);
  });

  it('that is not there is told', () => {
    const file = join(folder, 'none.tsv');
    expect(() => readConfig({ GAZETTEER_FILE: file })).toThrow(/GAZETTEER_FILE=.*ENOENT/);
  });
});

describe('what the names of a gazetteer mean', () => {
  const known: LocatedPlace[] = [
    { kind: 'city', name: 'PORTO NOVO', city: 'PORTO NOVO' },
    ...[
      { name: 'Norte', latitude: -10.4, longitude: -50.25 },
      { name: 'Sul', latitude: -10.52, longitude: -50.25 },
      { name: 'Nenhures', latitude: null, longitude: null },
    ].map((one) => ({ kind: 'district' as const, city: 'PORTO NOVO', ...one })),
  ];
  const text = [
    'Torre Alta\tHigh Tower|~Alta|Turm Hoch|高塔\tlandmark\tPorto Novo\t-10.5\t-50.25',
    'Bairro Sul\tSul|South End\tneighbourhood\tPorto Novo\t-10.5\t-50.25',
    'Porto Novo\tNew Haven|新港\tcity\tPorto Novo\t-10.5\t-50.25',
    'Fazenda Longe\t\tlandmark\tPorto Novo\t-11.5\t-50.25',
    'Farol\t\tlandmark\tOutra Cidade\t-20\t-50',
  ].join('\n');
  const index = indexPlaces(known, [], placesOfGazetteer(parseGazetteer(text), known));
  const ask = (query: string) =>
    understand(query, loadLexicon(), { given: [], city: 'Porto Novo', known: index });
  const named = (name: string): Place | undefined => placesNamed(name, index)[0];

  it('is the district itself, the city itself, or a spot with the district nearest to it', () => {
    expect(named('south end')).toMatchObject({ kind: 'district', name: 'Sul' });
    expect(named('New Haven')).toMatchObject({ kind: 'city', name: 'PORTO NOVO' });
    expect(named('high tower')).toMatchObject({
      kind: 'spot',
      name: 'Torre Alta',
      district: 'Sul',
    });
    expect(named('Fazenda Longe')).toMatchObject({ kind: 'spot', district: null });
  });

  it('is nothing in cities where the catalog has no store', () => {
    expect(placesNamed('Farol', index)).toEqual([]);
  });

  it.each([
    ['pizza near High Tower', 'Torre Alta'],
    ['pizza na Alta', 'Torre Alta'],
    ['pizza Torre Alta', 'Torre Alta'],
    ['Pizza beim Turm Hoch', 'Torre Alta'],
    ['高塔 pizza', 'Torre Alta'],
    ['pizza in South End', 'Sul'],
    ['restaurantes da Alta', 'Torre Alta'],
  ])('"%s" names %s', (query, name) => {
    expect(ask(query).mentions.places.map((place) => place.name)).toEqual([name]);
    expect(ask(query).clauses.filter(({ kind }) => kind === 'term')).toEqual([]);
  });

  it.each(['pizza alta', 'pizza da Alta', 'bife à Alta', 'farol'])(
    '"%s" names none: a weak name needs words around it that say where',
    (query) => {
      expect(ask(query).mentions.places).toEqual([]);
    },
  );
});
