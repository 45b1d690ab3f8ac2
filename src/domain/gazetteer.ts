import { placeKey } from './places.ts';

/** Kinds of gazetteer places and the default search radius around each. */
export const SPOT_RADIUS_METERS = {
  city: 10_000,
  neighbourhood: 2000,
  avenue: 2000,
  park: 2000,
  square: 1000,
  station: 1000,
  mall: 1000,
  hospital: 1000,
  university: 1500,
  landmark: 1000,
};

export type SpotKind = keyof typeof SPOT_RADIUS_METERS;

/** A named place with all its names; a `weak` name is also an ordinary word. */
export type GazetteerEntry = {
  name: string;
  names: { name: string; weak: boolean }[];
  kind: SpotKind;
  city: string;
  latitude: number;
  longitude: number;
};

/** The tab-separated columns of a gazetteer line. */
export const GAZETTEER_COLUMNS = 'name, other names, kind, city, latitude, longitude';
const MAX_NAME = 80;
const MAX_LINES = 20_000;

/** An invalid gazetteer line; the message says how to fix it. */
export class GazetteerError extends Error {}

/**
 * Parses a gazetteer: one place per line, `#` starts a comment, `|` separates other names, and `~` marks a weak
 * name, which is a place only when the words around it say so. Throws GazetteerError.
 */
export function parseGazetteer(text: string): GazetteerEntry[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (lines.length > MAX_LINES) throw new GazetteerError(`has more than ${MAX_LINES} lines`);
  const seen = new Map<string, number>();
  return lines.flatMap((line, index) => {
    if (line.trim() === '' || line.startsWith('#')) return [];
    const refuse = (message: string): never => {
      throw new GazetteerError(`line ${index + 1}: ${message}`);
    };
    const entry = parseLine(line, refuse);
    for (const { name } of entry.names) {
      const key = `${placeKey(entry.city)}\t${placeKey(name)}`;
      const before = seen.get(key);
      if (before !== undefined) {
        refuse(`"${name}" in ${entry.city} stands in line ${before} already: keep one of them`);
      }
      seen.set(key, index + 1);
    }
    return [entry];
  });
}

function parseLine(line: string, refuse: (message: string) => never): GazetteerEntry {
  const cells = line.split('\t').map((cell) => cell.trim());
  if (cells.length !== 6) {
    refuse(`has ${cells.length} columns instead of 6, separated by tabs: ${GAZETTEER_COLUMNS}`);
  }
  const [name = '', others = '', kind = '', city = '', latitude = '', longitude = ''] = cells;
  if (!isKind(kind)) {
    return refuse(
      `the kind "${kind}" must be one of ${Object.keys(SPOT_RADIUS_METERS).join(', ')}`,
    );
  }
  if (city === '') refuse('names no city');
  if (kind === 'city' && name !== city) {
    refuse(`a line of kind city has the same name and city, not "${name}" and "${city}"`);
  }
  const written = [name, ...(others === '' ? [] : others.split('|'))].map((one) => one.trim());
  const names = written.map((one) => ({ name: one.replace(/^~/, ''), weak: one.startsWith('~') }));
  for (const one of names) {
    if (placeKey(one.name) === '') refuse('has an empty name');
    if (one.name.length > MAX_NAME)
      refuse(`the name "${one.name}" has over ${MAX_NAME} characters`);
  }
  return {
    name: name.replace(/^~/, ''),
    names,
    kind,
    city,
    latitude: parseDegrees('latitude', latitude, 90, refuse),
    longitude: parseDegrees('longitude', longitude, 180, refuse),
  };
}

const isKind = (kind: string): kind is SpotKind => Object.hasOwn(SPOT_RADIUS_METERS, kind);

function parseDegrees(
  column: string,
  text: string,
  most: number,
  refuse: (message: string) => never,
): number {
  const degrees = /^-?\d{1,3}(\.\d{1,8})?$/.test(text) ? Number(text) : Number.NaN;
  if (!(Math.abs(degrees) <= most)) {
    refuse(`the ${column} "${text}" must be degrees between -${most} and ${most}, as -23.561`);
  }
  return degrees;
}
