import { quantile } from '../../support/quantile.ts';
import { share } from '../metrics.ts';
import type { EngineReport, KnownFigures, KnownOutcome } from './judge.ts';

/** A line of the report: what was asked, a cell an engine, and the wrong first results called `exact`. */
export type KnownCells = { what: string; cases: number; cells: string[]; note: string };

/** The shares that each engine got right, a line a suite, and at the end the latencies of all. */
export function knownCells({ suites, reports }: KnownFigures): KnownCells[] {
  const each = (cell: (outcomes: KnownOutcome[]) => string) =>
    reports.map(({ outcomes }) => cell(outcomes));
  const all = suites.reduce((sum, { cases }) => sum + cases.length, 0);
  return [
    ...suites.map((suite) => {
      const of = (outcomes: KnownOutcome[]) => outcomes.filter((one) => one.suite === suite);
      return {
        what: suite.name,
        cases: suite.cases.length,
        cells: each((outcomes) => share(of(outcomes).map(({ passed }) => passed)).toFixed(3)),
        note: calledExact(of(labelled(reports))),
      };
    }),
    {
      what: 'p50 / p95 ms',
      cases: all,
      cells: each(latencies),
      note: calledExact(labelled(reports)),
    },
  ];
}

/** The same as a table: a row a suite, a column an engine. */
export function knownTable(figures: KnownFigures): string[] {
  const row = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`;
  const engines = figures.reports.map(({ engine }) => engine);
  return [
    row(['suite', 'cases', ...engines, 'wrong first called exact']),
    `|${'---|'.repeat(engines.length + 3)}`,
    ...knownCells(figures).map(({ what, cases, cells, note }) =>
      row([what, cases, ...cells, note]),
    ),
  ];
}

/** The outcomes of the engines that tell what kind of match a result is. */
function labelled(reports: EngineReport[]): KnownOutcome[] {
  return reports
    .flatMap(({ outcomes }) => outcomes)
    .filter(({ results }) => results[0]?.match !== undefined);
}

function calledExact(outcomes: KnownOutcome[]): string {
  const wrong = outcomes.filter(({ wrongFirst }) => wrongFirst);
  const exact = wrong.filter(({ results }) => results[0]?.match === 'exact').length;
  if (wrong.length === 0) return 'none wrong';
  return `${exact} of ${wrong.length} (${Math.round((100 * exact) / wrong.length)} %)`;
}

function latencies(outcomes: KnownOutcome[]): string {
  const all = outcomes.map(({ latencyMs }) => latencyMs);
  return `${quantile(all, 0.5).toFixed(1)} / ${quantile(all, 0.95).toFixed(1)}`;
}

/** The cases that an engine failed, and what came first instead. */
export function knownMisses({ outcomes }: EngineReport): string[] {
  return outcomes
    .filter(({ passed }) => !passed)
    .flatMap(({ suite, asked, results }) => {
      const came = results
        .slice(0, suite.first)
        .map(({ title, match }) => `${asked.isRight(title) ? '+' : '-'} ${title} [${match}]`);
      return [
        `${suite.name}: ${JSON.stringify(asked.query)}`,
        ...(asked.wanted === asked.query ? [] : [`    wanted  ${asked.wanted}`]),
        ...(came.length === 0 ? ['(nothing)'] : came).map((line) => `    came    ${line}`),
      ];
    });
}
