import type { Metrics } from '../metrics.ts';

/** Times the stages of a search: `now` for synchronous work, `later` for asynchronous. */
export type StageTimer = ReturnType<typeof makeStageTimer>;

export function makeStageTimer(metrics: Metrics) {
  const end = (stage: string, started: number) =>
    metrics.searchStageSeconds.observe({ stage }, (performance.now() - started) / 1000);
  return {
    now<T>(stage: string, work: () => T): T {
      const started = performance.now();
      const result = work();
      end(stage, started);
      return result;
    },
    later:
      <Args extends unknown[], T>(stage: string, work: (...args: Args) => Promise<T>) =>
      (...args: Args): Promise<T> => {
        const started = performance.now();
        return work(...args).finally(() => end(stage, started));
      },
  };
}
