import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

const LATENCY_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const JOB_SECONDS = [0.01, 0.1, 0.5, 1, 5, 15, 60, 300, 1800];

/** Reads a gauge's value at scrape time; null hides the gauge. */
type Reading = () => number | null | Promise<number | null>;

type ReadingEach = () => Map<string, number> | Promise<Map<string, number>>;

/** The Prometheus metrics of this process. */
export type Metrics = ReturnType<typeof openMetrics>;

/** Makes the metrics of a process. Labels have low cardinality (routes, codes, names), never clients. */
export function openMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter<Label>({ name, help, labelNames, registers });
  const histogram = <Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    buckets = LATENCY_SECONDS,
  ) => new Histogram<Label>({ name, help, labelNames, buckets, registers });

  return {
    requests: counter('vitrine_requests_total', 'Requests answered', ['route', 'status']),
    requestSeconds: histogram(
      'vitrine_request_seconds',
      'From the end of the header fields to the answer',
      ['route'],
    ),
    shed: counter('vitrine_requests_shed_total', 'Requests refused because of overload', []),
    connectionsRefused: counter(
      'vitrine_connections_refused_total',
      'Connections beyond the cap',
      [],
    ),
    quotaRejections: counter('vitrine_quota_rejections_total', 'Answers 429', ['quota']),
    quotaStoreAway: gauge(
      'vitrine_quota_store_away',
      'The shared quota store is away (1) or not (0)',
    ),
    quotaStoreOutages: counter('vitrine_quota_store_outages_total', 'Losses of the store', []),
    reads: counter('vitrine_reads_total', 'Reads answered, by where', ['from']),
    databaseWork: counter('vitrine_database_work_total', 'Work on the database by its outcome', [
      'outcome',
    ]),
    merchantReads: counter('vitrine_merchant_cache_total', 'Merchant answers by where from', [
      'from',
    ]),
    searchStageSeconds: histogram('vitrine_search_stage_seconds', 'Stages of a search', ['stage']),
    jobSeconds: histogram('vitrine_job_seconds', 'Runs of a job', ['job', 'outcome'], JOB_SECONDS),
    jobSucceededAt: new Gauge({
      name: 'vitrine_job_last_success_timestamp_seconds',
      help: 'When a job last came to its end',
      labelNames: ['job'],
      registers,
    }),
    /** A gauge that is read on each scrape. In one process server and jobs share it: the first to watch reads it. */
    watch(name: string, help: string, read: Reading): void {
      if (registry.getSingleMetric(name) === undefined) gauge(name, help, read);
    },
    /** Publishes constants as labels of a gauge that is 1. */
    inform(name: string, help: string, labels: Record<string, string>): void {
      new Gauge({ name, help, labelNames: Object.keys(labels), registers }).set(labels, 1);
    },
    /** Registers a gauge with one value per label, all read at scrape time. */
    watchEach(name: string, help: string, label: string, read: ReadingEach): void {
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers,
        async collect() {
          const values = await read();
          this.reset();
          for (const [of, value] of values) this.set({ [label]: of }, value);
        },
      });
    },
    /** Returns the Prometheus text format and its content type. */
    async expose(): Promise<{ body: string; type: string }> {
      return { body: await registry.metrics(), type: registry.contentType };
    },
  };

  function gauge(name: string, help: string, read?: Reading): Gauge {
    return new Gauge({
      name,
      help,
      registers,
      ...(read === undefined
        ? {}
        : {
            async collect() {
              const value = await read();
              if (value === null) this.remove();
              else this.set(value);
            },
          }),
    });
  }
}

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
