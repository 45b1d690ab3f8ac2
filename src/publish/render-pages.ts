import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { makeLinks } from '../domain/links.ts';
import type { ServiceInfo } from '../domain/surface.ts';
import { type Content, type Shelf, writeEntry } from './entry-files.ts';
import type { Known } from './release-index.ts';
import { openRenderer } from './render.ts';
import type { PageSite } from './site.ts';

/** A page to render: its model as JSON, what it is made from, and what was published there before. */
export type PageTask = {
  path: string;
  model: string;
  source: string;
  old: Known | null;
  /** The same at the address of its markdown twin, if it has one. */
  oldTwin?: Known | null;
};

/** What rendering takes besides the tasks; it may be handed to another thread. */
export type RenderContext = {
  distFolder: string;
  info: ServiceInfo;
  productUrlTemplate: string | null;
  shelf: Shelf;
};

/** Renders and writes pages with their markdown twins; returns their lines of the index, as its bytes. */
export type PageRenderer = (tasks: PageTask[]) => Promise<Uint8Array>;

/** A batch is rendered as a whole, then compressed and written: larger ones spare the processor's cache. */
const TASKS_PER_BATCH = 100;
/** One batch is being rendered while the next one waits. */
const BATCHES_PER_WORKER = 2;
/** Starting a thread takes as long as rendering some hundred pages. */
const PAGES_PER_WORKER = 250;
/** A thread renders from what it is sent: with more memory it would only collect garbage later. */
const THREAD_LIMITS = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 24 };

/** The address of a page's markdown twin. */
export function twinOf(path: string): string {
  return `${path}.md`;
}

/** Opens a renderer of pages in this thread. */
export async function openPageRenderer(context: RenderContext): Promise<PageRenderer> {
  const { info, shelf } = context;
  const { render, twin } = await openRenderer(context.distFolder);
  const links = makeLinks(info.baseUrl, context.productUrlTemplate);
  return async (tasks) => {
    const made: [Content, Known | null][] = [];
    for (const { path, model, source, old, oldTwin } of tasks) {
      const page = JSON.parse(model);
      const read = async () => page;
      const site: PageSite = { info, links, product: read, offer: read, list: read };
      made.push([{ path, source, ...(await render(path, site)) }, old]);
      if (oldTwin !== undefined)
        made.push([{ path: twinOf(path), source, ...twin(page, site) }, oldTwin]);
    }
    // One after the other: compression and rendering would push each other out of the processor's cache.
    const lines = made.map(([content, old]) => `${writeEntry(shelf, content, old)}\n`);
    return Buffer.from(lines.join(''), 'latin1');
  };
}

/** Some tasks, the queue that they come from, and their position in it. */
type Batch = { tasks: PageTask[]; queue: number; at: number };

/**
 * Renders pages in this thread or, when there are many, spread over the cores; returns their lines, for each
 * queue in the order of its tasks. There is a queue for each folder: threads that make files in one wait for each other.
 */
export async function renderPages(
  queues: AsyncIterable<PageTask>[],
  count: number,
  context: RenderContext,
  onRendered: (pages: number) => void,
): Promise<Buffer[][]> {
  const pieces: Buffer[][] = queues.map(() => []);
  const keep = ({ tasks, queue, at }: Batch, lines: Uint8Array) => {
    (pieces[queue] as Buffer[])[at] = Buffer.from(lines);
    onRendered(tasks.length);
  };
  const batches = queues.map(inBatches);
  const workers = Math.min(availableParallelism(), Math.floor(count / PAGES_PER_WORKER));
  if (workers >= 2) {
    const pool = Array.from({ length: workers }, (_, at) =>
      runWorker(takeAll(batches, at), context, keep),
    );
    await Promise.all(pool);
  } else if (count > 0) {
    const renderer = await openPageRenderer(context);
    for await (const batch of takeAll(batches, 0)) keep(batch, await renderer(batch.tasks));
  }
  return pieces;
}

/** Keeps one thread busy until its batches are used up. */
function runWorker(
  batches: AsyncGenerator<Batch>,
  context: RenderContext,
  keep: (batch: Batch, lines: Uint8Array) => void,
): Promise<void> {
  const worker = new Worker(new URL('./render-worker.ts', import.meta.url), {
    workerData: context,
    resourceLimits: THREAD_LIMITS,
  });
  const sent: Batch[] = [];
  return new Promise<void>((done, fail) => {
    let waiting = 0;
    const send = async () => {
      waiting += 1;
      const { value } = await batches.next();
      waiting -= 1;
      if (value) {
        sent.push(value);
        worker.postMessage(value.tasks);
      } else if (sent.length + waiting === 0) done();
    };
    worker.on('message', (lines: Uint8Array) => {
      // A thread answers in the order in which it was asked.
      keep(sent.shift() as Batch, lines);
      send().catch(fail);
    });
    worker.on('error', fail);
    worker.on('exit', () => fail(new Error('a rendering thread ended before its work was done')));
    for (let batch = 0; batch < BATCHES_PER_WORKER; batch += 1) send().catch(fail);
  }).finally(() => worker.terminate());
}

/** Takes what is left in queues that all threads share, beginning with one of them. */
async function* takeAll(queues: AsyncGenerator<Batch>[], first: number): AsyncGenerator<Batch> {
  for (const at of queues.keys()) {
    const queue = queues[(first + at) % queues.length];
    for (let next = await queue?.next(); next && !next.done; next = await queue?.next()) {
      yield next.value;
    }
  }
}

async function* inBatches(tasks: AsyncIterable<PageTask>, queue: number): AsyncGenerator<Batch> {
  let at = 0;
  let batch: PageTask[] = [];
  for await (const task of tasks) {
    batch.push(task);
    if (batch.length < TASKS_PER_BATCH) continue;
    yield { tasks: batch, queue, at };
    at += 1;
    batch = [];
  }
  if (batch.length > 0) yield { tasks: batch, queue, at };
}
