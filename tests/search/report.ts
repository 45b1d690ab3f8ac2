import { quantile } from '../support/quantile.ts';
import { type EvalCatalog, nameOf } from './catalog.ts';
import type { Outcome } from './evaluate.ts';
import { mean, share } from './metrics.ts';

const HEADER = [
  '| group | n | hit@1 | hit@3 | nDCG@10 | empty | traps | violations | p50 ms | p95 ms |',
  '|---|---|---|---|---|---|---|---|---|---|',
];

/** The figures of some outcomes. */
export function summarise(outcomes: Outcome[]) {
  const latencies = outcomes.map(({ latencyMs }) => latencyMs);
  return {
    n: outcomes.length,
    hit1: share(outcomes.map(({ hit1 }) => hit1)),
    hit3: share(outcomes.map(({ hit3 }) => hit3)),
    ndcg10: mean(outcomes.map(({ ndcg10 }) => ndcg10)),
    empty: share(outcomes.map(({ isEmpty }) => isEmpty)),
    traps: outcomes.filter(({ trapped }) => trapped).length,
    violations: outcomes.reduce((sum, { violations }) => sum + violations.length, 0),
    p50Ms: quantile(latencies, 0.5),
    p95Ms: quantile(latencies, 0.95),
  };
}

/** A table of all outcomes, by language and by tag; groups only, never a query. */
export function table(outcomes: Outcome[]): string[] {
  const rows = [row('all', outcomes)];
  for (const split of ['dev', 'held']) {
    const part = outcomes.filter(({ query }) => query.split === split);
    if (part.length > 0 && part.length < outcomes.length) rows.push(row(split, part));
  }
  const groups = (of: (outcome: Outcome) => string[]) =>
    [...new Set(outcomes.flatMap(of))].sort().map((key) =>
      row(
        key,
        outcomes.filter((outcome) => of(outcome).includes(key)),
      ),
    );
  rows.push(
    ...groups(({ query }) => [query.language]),
    ...groups(({ query: { tool, empty, tags } }) => [
      `#${tool}`,
      ...(empty ? ['#nothing'] : []),
      ...tags.map((tag) => `#${tag}`),
    ]),
  );
  return [...HEADER, ...rows];
}

function row(group: string, outcomes: Outcome[]): string {
  const figures = summarise(outcomes);
  const { n, hit1, hit3, ndcg10, empty, traps, violations, p50Ms, p95Ms } = figures;
  const shares = [hit1, hit3, ndcg10, empty].map((value) => value.toFixed(3));
  const cells = [group, n, ...shares, traps, violations, p50Ms.toFixed(1), p95Ms.toFixed(1)];
  return `| ${cells.join(' | ')} |`;
}

/** Lists failed development queries with what came first instead; held-out ones stay hidden. */
export function misses(outcomes: Outcome[], catalog: EvalCatalog): string[] {
  return outcomes
    .filter(({ query }) => query.split === 'dev')
    .filter(({ hit3, trapped, violations }) => !hit3 || trapped || violations.length > 0)
    .flatMap(({ query, ids, hit3, trapped, violations }) => {
      const named = (some: number[]) => some.map((id) => nameOf(catalog, query.tool, id));
      const best = Object.entries(query.relevant)
        .filter(([, grade]) => grade === 3)
        .map(([id]) => Number(id));
      const faults = [...(hit3 ? [] : ['missed']), ...(trapped ? ['trapped'] : []), ...violations];
      return [
        `${query.id} ${query.language} ${faults.join(', ')}: ${JSON.stringify(query.arguments)}`,
        `    wanted  ${query.empty ? '(nothing)' : named(best.slice(0, 3)).join(' · ')}`,
        `    came    ${named(ids.slice(0, 3)).join(' · ') || '(nothing)'}`,
      ];
    });
}
