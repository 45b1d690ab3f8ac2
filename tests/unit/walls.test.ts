import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = resolve('src');
const LONGEST_FILE = 250;

/** Which rooms a room may import from; `domain` and the room itself always. Types count as imports. */
const ROOMS: Record<string, string[]> = {
  domain: [],
  understand: [],
  harvest: ['understand'],
  data: [],
  embedded: [],
  sample: [],
  http: ['config'],
  feed: ['data', 'understand'],
  documents: ['publish/site'],
  publish: ['data/catalog/export'],
  search: ['understand'],
  live: ['http', 'search', 'understand'],
  pages: ['live', 'http', 'documents', 'publish/site', 'components'],
  components: ['publish/site'],
  server: [
    'config',
    'log',
    'metrics',
    'data',
    'embedded',
    'feed',
    'http',
    'live',
    'publish',
    'sample',
    'secrets',
    'service',
    'understand',
  ],
  // Files at the top: what puts the rooms together.
  config: ['data/connection/address', 'secrets'],
  secrets: [],
  log: [],
  metrics: [],
  entry: ['components'],
  env: ['live', 'publish'],
  middleware: ['dev'],
  dev: ['config', 'data', 'documents', 'live', 'log', 'publish', 'server', 'service'],
  service: ['config', 'data', 'http', 'live', 'log', 'metrics', 'understand'],
};

/** Packages that a pure room may import. */
const PURE_ROOMS: Record<string, RegExp> = {
  domain: /^zod$/,
  understand: /^node:(fs|crypto|path|url|zlib)$/,
};

/** The folders of `understand`: each imports from those before it, and from the types beside them. */
const FLOORS = ['text', 'lexicon', 'reading', 'record', 'clauses', 'mentions', 'without', 'wishes'];

type Import = { file: string; target: string };

function filesOf(folder: string): string[] {
  return (
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|astro|mjs)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      // The suite of hosts has packages of its own.
      .filter((file) => !file.includes('/node_modules/'))
  );
}

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  const pattern =
    /^(?:import|export)\b[^'";]*?\bfrom '([^']+)'|^import '([^']+)'|import\('([^']+)'\)/gm;
  return [...text.matchAll(pattern)].map(([, from, bare, dynamic]) => ({
    file,
    target: from ?? bare ?? dynamic ?? '',
  }));
}

const roomOf = (path: string) =>
  relative(SRC, path)
    .split('/')[0]
    ?.replace(/(\.d)?\.ts$/, '') ?? '';
const files = filesOf(SRC);
const local = files
  .flatMap(importsOf)
  .filter(({ target }) => target.startsWith('.'))
  .map(({ file, target }) => ({ file, target: resolve(dirname(file), target) }));

describe('the walls of the house', () => {
  it('stand: every import stays within what its room may import', () => {
    const breaches = local.filter(({ file, target }) => {
      const from = roomOf(file);
      const to = roomOf(target);
      const path = relative(SRC, target).replace(/\.ts$/, '');
      const allowed = ROOMS[from];
      if (allowed === undefined) return true;
      return (
        to !== from && to !== 'domain' && !allowed.some((room) => room === to || room === path)
      );
    });
    expect(
      breaches.map(({ file, target }) => `${relative(SRC, file)} -> ${relative(SRC, target)}`),
    ).toEqual([]);
  });

  it('stand on floors where words become meanings', () => {
    const floorOf = (path: string) => FLOORS.indexOf(relative(SRC, path).split('/')[1] ?? '');
    const climbs = local
      .filter(
        ({ file, target }) => roomOf(file) === 'understand' && roomOf(target) === 'understand',
      )
      .filter(({ file, target }) => floorOf(file) >= 0 && !/\/(lexicon-)?types\.ts$/.test(target))
      .filter(({ file, target }) => floorOf(target) < 0 || floorOf(target) > floorOf(file));
    expect(
      climbs.map(({ file, target }) => `${relative(SRC, file)} -> ${relative(SRC, target)}`),
    ).toEqual([]);
  });

  it('keep the pure rooms pure: no I/O, clock, environment or framework', () => {
    for (const [room, packages] of Object.entries(PURE_ROOMS)) {
      for (const file of filesOf(join(SRC, room))) {
        const foreign = importsOf(file)
          .map(({ target }) => target)
          .filter((target) => !target.startsWith('.') && !packages.test(target));
        expect([relative(SRC, file), foreign]).toEqual([relative(SRC, file), []]);
        expect(readFileSync(file, 'utf8')).not.toMatch(
          /process\.env|Date\.now\(|new Date\(\)|Math\.random/,
        );
      }
    }
  });

  it('have no import cycles', () => {
    const next = new Map(files.map((file) => [file, [] as string[]]));
    for (const { file, target } of local) next.get(file)?.push(target);
    const done = new Set<string>();
    const walk = (file: string, path: string[]): void => {
      if (path.includes(file))
        throw new Error([...path, file].map((step) => relative(SRC, step)).join(' -> '));
      if (done.has(file)) return;
      for (const target of next.get(file) ?? []) walk(target, [...path, file]);
      done.add(file);
    };
    for (const file of files) walk(file, []);
  });

  it('hold only short files', () => {
    const long = [...files, ...filesOf(resolve('scripts')), ...filesOf(resolve('tests'))]
      .map((file) => ({
        file: relative('.', file),
        lines: readFileSync(file, 'utf8').split('\n').length - 1,
      }))
      .filter(({ lines }) => lines > LONGEST_FILE);
    expect(long).toEqual([]);
  });

  it('keep all SQL in src/data', () => {
    const sql = /\b(select|insert into|delete from|update)\b[^;'"]*\b(from|values|set|where)\b/;
    const breaches = files
      .filter((file) => roomOf(file) !== 'data')
      .filter((file) =>
        [...readFileSync(file, 'utf8').matchAll(/sql(?:<[^`]*>)?`([^`]*)`|tx`([^`]*)`/g)].some(
          ([, a, b]) => sql.test(a ?? b ?? ''),
        ),
      );
    expect(breaches.map((file) => relative(SRC, file))).toEqual([]);
  });

  it('let one component alone write unescaped HTML', () => {
    const users = files.filter((file) => readFileSync(file, 'utf8').includes('set:html'));
    expect(users.map((file) => relative(SRC, file))).toEqual(['components/JsonLd.astro']);
  });
});
