import { describe, expect, it } from 'vitest';
import {
  cutList,
  directoryLetters,
  directorySpans,
  furtherRows,
  isListPath,
  linkedPages,
  listPagePath,
  placePath,
} from '../../src/domain/lists.ts';

const ids = (count: number) => Array.from({ length: count }, (_, at) => at * 3 + 5);
const sizes = (list: number[]) => {
  const starts = cutList(list);
  return starts.map((start, at) => (starts[at + 1] ?? list.length) - start);
};
/** The pages of a list, each as its entries. */
const pages = (list: number[]) => {
  const starts = cutList(list);
  return starts.map((start, at) => list.slice(start, starts[at + 1]).join());
};

describe('a list', () => {
  it('of up to 60 entries is one page, an empty one none', () => {
    expect(cutList([])).toEqual([]);
    expect(cutList(ids(60))).toEqual([0]);
    expect(cutList(ids(61))).toHaveLength(2);
  });

  it('is cut into pages of 20 to 60 entries', () => {
    for (const count of [61, 100, 500, 20_000]) {
      const all = sizes(ids(count));
      expect(Math.max(...all)).toBeLessThanOrEqual(60);
      expect(Math.min(...all)).toBeGreaterThanOrEqual(20);
      expect(all.reduce((sum, size) => sum + size, 0)).toBe(count);
    }
  });

  it('keeps nearly all pages when an entry goes or comes, wherever it is', () => {
    const list = ids(2000);
    const before = new Set(pages(list));
    for (const at of [0, 3, 700, 1500, 1999]) {
      const others = pages(list.toSpliced(at, 1)).filter((page) => !before.has(page));
      expect(others.length).toBeLessThanOrEqual(3);
    }
  });
});

describe('the pages of a list', () => {
  it('are one step from the first, up to 20,000 entries, and two at most', () => {
    expect(linkedPages(1, cutList(ids(20_000)).length)).toHaveLength(
      cutList(ids(20_000)).length - 1,
    );
    for (const count of [1, 2, 599, 601, 700, 9000]) {
      const first = linkedPages(1, count);
      const reached = new Set([1, ...first, ...first.flatMap((page) => linkedPages(page, count))]);
      expect(reached.size).toBe(count);
    }
  });

  it('link forth and back, to no page that there is not, and not to themselves', () => {
    expect(linkedPages(1, 1)).toEqual([]);
    expect(linkedPages(2, 3)).toEqual([1, 3]);
    expect(linkedPages(50, 200)).toEqual([1, 49, 51]);
    expect(linkedPages(200, 200)).toEqual([1, 199]);
    expect(linkedPages(1, 1300)).toContain(601);
    expect(linkedPages(601, 1300)).toContain(1200);
  });

  it('are one step from the start of a row, which directories link to', () => {
    const isThere = (path: string) => Number(path.slice('/lojas/7/'.length)) <= 1300;
    const rows = furtherRows('/lojas/7', isThere);
    expect(rows).toEqual([601, 1201]);
    const near = [1, ...rows].flatMap((start) => [start, ...linkedPages(start, 1300)]);
    expect(new Set(near).size).toBe(1300);
    expect(furtherRows('/lojas/8', (path) => path === '/lojas/8/600')).toEqual([]);
  });
});

describe('a directory', () => {
  const named = (count: number) =>
    ids(count).map((id) => ({ id, name: `Loja ${id}`, path: `/lojas/${id}`, within: null }));

  it('has pages of 100 to 300 names, which no id can be taken for', () => {
    expect(listPagePath('/lojas', 1)).toBe('/lojas');
    expect(listPagePath('/lojas', 2)).toBe('/lojas/pagina-2');
    expect(listPagePath('/lojas/7', 2)).toBe('/lojas/7/2');
    const [first, second, ...others] = directorySpans('/lojas', named(5000));
    expect(first).toMatchObject({ path: '/lojas', first: 'Loja 5' });
    expect(second).toMatchObject({ path: '/lojas/pagina-2' });
    expect(others.at(-1)).toMatchObject({ last: 'Loja 15002' });
    expect(others.length).toBeLessThan(48);
    expect(directorySpans('/lojas', named(300))).toHaveLength(1);
    expect(directorySpans('/lojas', [])).toEqual([]);
  });

  it('has an index of the letters that names begin with', () => {
    const names = ['!', '3 Irmãos', '24 Horas', 'Água', 'alho', 'Çedilha', 'Vila', '東京'].map(
      (name, id) => {
        return { id, name, path: `/lojas/${id}`, within: null };
      },
    );
    expect(directoryLetters('/lojas', names)).toEqual([
      { letter: '', path: '/lojas#letra-sem-nome' },
      { letter: '0–9', path: '/lojas#letra-0-9' },
      { letter: 'A', path: '/lojas#letra-a' },
      { letter: 'C', path: '/lojas#letra-c' },
      { letter: 'V', path: '/lojas#letra-v' },
      { letter: '東', path: '/lojas#letra-u6771' },
    ]);
    const [, later] = directoryLetters('/lojas', [
      ...named(900),
      ...named(900).map((entry) => ({ ...entry, name: `Zoo ${entry.id}` })),
    ]);
    expect(later?.path).toMatch(/^\/lojas\/pagina-[45678]#letra-z$/);
  });
});

describe('the path of a place', () => {
  it.each([
    ['São Paulo', null, '/cidades/sao-paulo'],
    ['SP', 'Vl. Mariana', '/cidades/sao-paulo/vila-mariana'],
    ['Brasília', '2', '/cidades/brasilia/bairro-2'],
    ['../etc', '"><x>', '/cidades/etc/x'],
    ['Página 2', null, '/cidades/cidade-pagina-2'],
    ['東京', '!', '/cidades/u6771u4eac/sem-nome'],
  ])('%s, %s', (city, district, path) => {
    expect(placePath(city, district)).toBe(path);
    expect(isListPath(path)).toBe(true);
  });

  it('is told from others', () => {
    expect(['/ofertas', '/lojas/7', '/ofertas/2'].every(isListPath)).toBe(true);
    expect(['/offers/1', '/ofertas.atom', '/lojas-novas', '/'].some(isListPath)).toBe(false);
  });
});
