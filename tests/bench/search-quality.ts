import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { feedFileLines } from '../../src/feed/read.ts';
import { judgeFeed } from '../search/known/known.ts';
import { knownCells } from '../search/known/report.ts';
import type { Row } from './measure.ts';

/** Real catalogs beside the checkout, which we may not commit. */
const REAL_FEED = '../shared/real/sao-paulo.ndjson';
const WHAT = 'known items of a real feed';
const DRAW = { cases: 200, seed: 1 };
/** By the beginning of a suite's name. */
const GOALS: [string, string][] = [
  ['exact title', '>= 0.97'],
  ['three rarest words', '>= 0.97'],
  ['single word', '>= 0.95'],
  ['substance and dose', '>= 0.98'],
];

/** The feed whose known items are judged: the one that is named, else the usual one where it is there. */
export function findRealFeed(named: string | undefined): string | null {
  if (named === undefined) return existsSync(REAL_FEED) ? resolve(REAL_FEED) : null;
  const path = resolve(process.env.INIT_CWD ?? '.', named);
  if (existsSync(path)) return path;
  throw new Error(`there is no file ${named} (relative to where npm was called)`);
}

/** How well the search finds known items of a feed, beside MiniSearch and Postgres full text. */
export async function benchQuality(
  feed: string | null,
  tell: (step: string) => void,
): Promise<Row[]> {
  if (feed === null) {
    const ours = `left out: there is no ${REAL_FEED}; --feed FILE names another`;
    return [{ what: WHAT, ours, peers: '', goal: '' }];
  }
  tell(`${WHAT}: import, then ${DRAW.cases} queries of each kind`);
  const figures = await judgeFeed(() => feedFileLines(feed), { ...DRAW, peers: true });
  return knownCells(figures).map(({ what, cells: [ours = '', ...peers], note }) => ({
    what: `known items: ${what}`,
    ours: note === '' ? ours : `${ours}; wrong first called exact: ${note}`,
    peers: peers.map((cell, place) => `${figures.reports[place + 1]?.engine} ${cell}`).join(', '),
    goal: GOALS.find(([beginning]) => what.startsWith(beginning))?.[1] ?? '',
  }));
}
