import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { feedRecordSchema } from '../../src/domain/catalog.ts';
import { readRecord } from '../../src/feed/read.ts';

/** The tests that a text names, as `folder/name`, with the ending or without. */
function namedTests(text: string): string[] {
  const names = text.matchAll(
    /(?<![\w/-])(?:tests\/)?((?:abuse|cluster|contract|data|deploy|faults|load|pages|unit)\/[a-z-]+)\b(\*?)/g,
  );
  return [...names].filter(([, , many]) => many === '').map(([, name = '']) => name);
}

/** Settings whose default stands in the table as it would be set. */
const DEFAULTS_IN_FIGURES =
  /^(HOST|PORT|DATA_DIR|SERVICE_NAME|DEFAULT_CITY|RATE_LIMIT_STORE|\w+_PER_(HOUR|MINUTE)|\w+_SECONDS|OPS_HOST|LOG_LEVEL|ACCESS_LOG)$/;

/** The section of a page under a heading. */
function section(page: string, heading: string): string {
  return page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
}

describe('what the pages say of the tests', () => {
  const page = readFileSync('tests/README.md', 'utf8');
  const promised = section(page, 'What the service promises');

  it('each promise names a test', () => {
    const promises = promised.match(/^\| (?!promise|-).*$/gm) ?? [];
    expect(promises.length).toBeGreaterThan(15);
    for (const promise of promises) expect(namedTests(promise), promise).not.toEqual([]);
  });

  it('each test that they name is there', () => {
    const table = section(page, 'From the specification to the test that proves it');
    const named = new Set([...namedTests(promised), ...namedTests(table)]);
    expect(named.size).toBeGreaterThan(50);
    const pictures = 'pages/screenshots';
    const missing = [...named].filter(
      (name) => name !== pictures && !existsSync(`tests/${name}.test.ts`),
    );
    expect(missing).toEqual([]);
  });
});

describe('the documentation', () => {
  const pages = [
    'README.md',
    'src/README.md',
    'tests/README.md',
    'scripts/deploy/README.md',
  ].concat(
    readdirSync('docs')
      .filter((name) => name.endsWith('.md'))
      .map((name) => join('docs', name)),
  );

  it.each(pages)('%s links to what is there', (path) => {
    const text = readFileSync(path, 'utf8');
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
    const broken = links.filter(([, file = '', anchor]) => {
      const target = file === '' ? path : join(dirname(path), file);
      if (!existsSync(target)) return true;
      return anchor !== undefined && !anchors(readFileSync(target, 'utf8')).includes(anchor);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  it('opens with a page that is read in minutes', () => {
    expect(readFileSync('README.md').byteLength).toBeLessThanOrEqual(7 * 1024);
  });

  it('names every setting that the environment is read for, and no other', () => {
    const settings = section(readFileSync('docs/operate.md', 'utf8'), 'Settings');
    const rows = settings.match(/^\| `.*$/gm) ?? [];
    const named = rows.flatMap((row) => row.split(' | ')[0]?.match(/[A-Z][A-Z_]+/g) ?? []);
    const keys = readFileSync('src/config.ts', 'utf8').match(/^ {2}[A-Z_]+(?=:)/gm) ?? [];
    const read = keys.map((key) => key.trim());
    expect(read.length).toBeGreaterThan(15);
    const secret = (name: string) => name.replace(/_FILE$/, '');
    expect(named.filter((name) => !read.includes(name) && !read.includes(secret(name)))).toEqual(
      [],
    );
    expect(read.filter((name) => !named.includes(name))).toEqual([]);
  });

  it('gives the defaults that are used', () => {
    const settings = section(readFileSync('docs/operate.md', 'utf8'), 'Settings');
    const rows = settings.match(/^\| `.*$/gm) ?? [];
    const written = rows.flatMap((row) => {
      const [names = '', defaults = ''] = row.slice(2).split(' | ');
      const values = defaults.split(/[,;] /).map((value) => value.replaceAll('`', ''));
      return names
        .split(', ')
        .map((name, at) => [name.replaceAll('`', ''), values[at] ?? values[0]]);
    });
    const plain = written.filter(([name]) => DEFAULTS_IN_FIGURES.test(name ?? ''));
    expect(plain.length).toBeGreaterThan(8);
    expect(readConfig(Object.fromEntries(plain))).toEqual(readConfig({}));
    const { quotas } = readConfig({});
    const limits = readFileSync('docs/connect.md', 'utf8').replaceAll('\n', ' ');
    expect(limits).toContain(`${quotas.productStatsPerHour} requests an hour to each`);
    expect(limits).toContain(`${quotas.catalogRecordsPerMinute} returned catalog records a minute`);
    expect(limits).toContain(`${quotas.mcpPerMinute} POSTs a minute`);
  });
});

/** What the headings of a page are linked by. */
function anchors(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('docs/feed.md', () => {
  const page = readFileSync('docs/feed.md', 'utf8');

  it('shows a feed whose every line is valid', () => {
    const [, lines = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
    const records = lines.trim().split('\n');
    expect(records.length).toBeGreaterThan(3);
    for (const line of records) expect(readRecord(JSON.parse(line)), line).toHaveProperty('record');
  });

  it('names every field of every kind, and which are required', () => {
    const described = [...page.matchAll(/^\| `(\w+)` \| (.+) \| (.+) \|$/gm)].map(
      ([, kind, required = '', optional = '']) => [kind, fieldsIn(required), fieldsIn(optional)],
    );
    const defined = feedRecordSchema.options.map(({ shape }) => {
      const { kind, ...fields } = shape;
      const names = Object.entries(fields);
      const isOptional = ([, field]: (typeof names)[number]) => field.safeParse(undefined).success;
      return [
        kind.value,
        names.filter((one) => !isOptional(one)).map(([name]) => name),
        names.filter(isOptional).map(([name]) => name),
      ];
    });
    expect(described).toEqual(defined);
  });

  const fieldsIn = (cell: string) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name);
});
