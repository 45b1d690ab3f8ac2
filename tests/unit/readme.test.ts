import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** The tests that a text names, as `folder/name`, with the ending or without. */
function namedTests(text: string): string[] {
  const names = text.matchAll(
    /(?<![\w/-])(?:tests\/)?((?:abuse|cluster|contract|data|deploy|faults|load|pages|unit)\/[a-z-]+)\b(\*?)/g,
  );
  return [...names].filter(([, , many]) => many === '').map(([, name = '']) => name);
}

/** The section of a page under a heading. */
function section(page: string, heading: string): string {
  return page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
}

describe('what the pages say of the tests', () => {
  const readme = readFileSync('README.md', 'utf8');

  it('each promise of the README names a test', () => {
    const promises = section(readme, 'Promises').match(/^\| (?!promise|-).*$/gm) ?? [];
    expect(promises.length).toBeGreaterThan(15);
    for (const promise of promises) expect(namedTests(promise), promise).not.toEqual([]);
  });

  it('each test that they name is there', () => {
    const table = section(
      readFileSync('tests/README.md', 'utf8'),
      'From the specification to the test that proves it',
    );
    const named = new Set([...namedTests(section(readme, 'Promises')), ...namedTests(table)]);
    expect(named.size).toBeGreaterThan(50);
    const pictures = 'pages/screenshots';
    const missing = [...named].filter(
      (name) => name !== pictures && !existsSync(`tests/${name}.test.ts`),
    );
    expect(missing).toEqual([]);
  });
});
