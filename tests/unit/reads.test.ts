import { describe, expect, it } from 'vitest';
import { openBulkhead } from '../../src/data/connection/bulkhead.ts';
import type { Sql } from '../../src/data/connection/client.ts';
import { type Need, openReads } from '../../src/data/connection/reads.ts';
import type { Replica, Replicas } from '../../src/data/connection/replicas.ts';
import type { ServingDatabase } from '../../src/data/connection/serving.ts';
import { ApiError } from '../../src/domain/errors.ts';

type State = 'well' | 'away' | 'frozen' | 'busy';

/** A database that answers reads with its own name, or fails as its state says. */
function database(name: string, state: State = 'well'): ServingDatabase {
  const bulkhead = openBulkhead(state === 'busy' ? 0 : undefined);
  const answer = () =>
    new Promise<never>((done, fail) => {
      if (state === 'well') done(name as never);
      if (state === 'away') fail(new Error('ECONNREFUSED'));
    });
  return {
    sql: null as unknown as Sql,
    run: (_, deadlineMs) => bulkhead.run(answer, deadlineMs),
    watch: answer,
    inFlight: bulkhead.inFlight,
    oldestMs: bulkhead.oldestMs,
    close: async () => {},
  };
}

const replica = (name: string, lagMs: number, state: State = 'well', answers = true): Replica => ({
  name,
  database: database(name, state),
  answers: () => answers,
  lagMs: () => lagMs,
});

function reads(all: Replica[], primary: State = 'well', primaryAnswers = primary !== 'away') {
  const replicas: Replicas = { all, primaryAnswers: () => primaryAnswers, close: async () => {} };
  const opened = openReads(database('primary', primary), replicas);
  return { ...opened, ask: (need: Need) => opened.run<string>(need, () => Promise.resolve('')) };
}

describe('a read', () => {
  it.each<[string, Replica[], State, Partial<Record<Need, string | null>>]>([
    [
      'without replicas',
      [],
      'well',
      { statistics: 'primary', catalog: 'primary', newest: 'primary' },
    ],
    [
      'with a fresh replica',
      [replica('r', 500)],
      'well',
      { statistics: 'r', catalog: 'r', newest: 'primary' },
    ],
    ['with one 5 s behind', [replica('r', 5000)], 'well', { statistics: 'primary', catalog: 'r' }],
    ['with one 2 minutes behind', [replica('r', 120_000)], 'well', { catalog: 'primary' }],
    [
      'with one whose lag is unknown',
      [replica('r', Number.POSITIVE_INFINITY)],
      'well',
      { statistics: 'primary', catalog: 'primary' },
    ],
    [
      'with one that is known to be away',
      [replica('r', 0, 'away', false)],
      'well',
      { statistics: 'primary', catalog: 'primary' },
    ],
    [
      'with one that has just gone away',
      [replica('r', 0, 'away')],
      'well',
      { statistics: 'primary', catalog: 'primary' },
    ],
    [
      'with one of two that has just gone away',
      [replica('r', 0, 'away'), replica('r', 0, 'away')],
      'well',
      { statistics: 'primary', catalog: 'primary' },
    ],
    [
      'without its primary, beside a fresh replica',
      [replica('r', 500)],
      'away',
      { statistics: 'r', catalog: 'r', newest: 'r' },
    ],
    // No statistics older than 30 s are served, but an old catalog is better than none.
    [
      'without its primary, beside an old replica',
      [replica('r', 120_000)],
      'away',
      { statistics: null, catalog: 'r', newest: 'r' },
    ],
    [
      'without any server',
      [replica('r', 0, 'away')],
      'away',
      { statistics: null, catalog: null, newest: null },
    ],
    // A surge on the replicas does not reach the primary.
    [
      'with a replica that is too busy',
      [replica('r', 0, 'busy')],
      'well',
      { statistics: null, catalog: null, newest: 'primary' },
    ],
  ])('%s is answered where it belongs', async (_, all, primary, wanted) => {
    const { ask } = reads(all, primary);
    for (const [need, server] of Object.entries(wanted) as [Need, string | null][]) {
      const answer = await ask(need).catch((error: unknown) => {
        expect(error).toBeInstanceOf(ApiError);
        return null;
      });
      expect([need, answer]).toEqual([need, server]);
    }
  });

  it('takes turns among replicas', async () => {
    const { ask } = reads([replica('a', 0), replica('b', 0)]);
    const seen = [await ask('catalog'), await ask('catalog'), await ask('catalog')];
    expect(new Set(seen)).toEqual(new Set(['a', 'b']));
    expect(seen[0]).toBe(seen[2]);
  });

  it('abandons a frozen replica, and the next server answers within the deadline', async () => {
    const { ask } = reads([replica('r', 0, 'frozen')]);
    expect(await ask('statistics')).toBe('primary');
  });

  it('abandons a frozen replica whose bulkhead is full', async () => {
    const { ask } = reads([replica('r', 0, 'frozen')]);
    const first = Array.from({ length: 256 }, () => ask('statistics'));
    await expect(ask('statistics')).rejects.toBeInstanceOf(ApiError);
    expect(new Set(await Promise.all(first))).toEqual(new Set(['primary']));
    expect(await ask('statistics')).toBe('primary');
  });

  it('settles within the deadline when both servers freeze', async () => {
    const { ask } = reads([replica('r', 0, 'frozen')], 'frozen');
    await expect(ask('statistics')).rejects.toBeInstanceOf(ApiError);
  });

  it('tells how far behind its answer may be', async () => {
    const read = () => Promise.resolve('');
    const behind = reads([replica('r', 700)]);
    expect((await behind.timed('statistics', read)).lagMs).toBe(700);
    expect((await behind.timed('newest', read)).lagMs).toBe(0);
    expect(behind.lagSeconds()).toEqual(new Map([['r', 0.7]]));
    expect(reads([replica('r', 700, 'away', false)]).lagSeconds()).toEqual(new Map());
  });
});
