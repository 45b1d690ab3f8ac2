import type { Engine, Result } from './engine.ts';
import { type KnownCase, type KnownSuite, passes } from './suites.ts';

/** The outcome of one case for an engine. */
export type KnownOutcome = {
  suite: KnownSuite;
  asked: KnownCase;
  results: Result[];
  passed: boolean;
  /** Whether the first result is wrong, even if the suite accepts a later one. */
  wrongFirst: boolean;
  latencyMs: number;
};

/** All outcomes of an engine. */
export type EngineReport = { engine: string; outcomes: KnownOutcome[] };

/** The suites, and the outcomes of each engine; the service comes first. */
export type KnownFigures = { suites: KnownSuite[]; reports: EngineReport[] };

const WARM_UP_QUERIES = 20;

/** Asks an engine all cases, one after the other, and judges what comes. */
export async function judgeEngine(engine: Engine, suites: KnownSuite[]): Promise<EngineReport> {
  const first = suites[0]?.cases ?? [];
  for (const { query } of first.slice(0, WARM_UP_QUERIES)) await engine.search(query);
  const outcomes: KnownOutcome[] = [];
  for (const suite of suites) {
    for (const asked of suite.cases) outcomes.push(await judgeCase(engine, suite, asked));
  }
  return { engine: engine.name, outcomes };
}

async function judgeCase(engine: Engine, suite: KnownSuite, asked: KnownCase) {
  const started = performance.now();
  const results = await engine.search(asked.query);
  const latencyMs = performance.now() - started;
  const titles = results.map(({ title }) => title);
  const passed = passes(suite, asked, titles);
  const wrongFirst = titles[0] !== undefined && !asked.isRight(titles[0]);
  return { suite, asked, results, passed, wrongFirst, latencyMs };
}
