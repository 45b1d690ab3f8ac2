import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { makeLinks } from '../domain/links.ts';
import type { ServiceInfo } from '../domain/surface.ts';
import { type Content, type Output, writeEntry } from './entry-files.ts';
import type { Known } from './release-index.ts';
import { openRenderer } from './render.ts';
import type { PageSite } from './site.ts';

/** A page to render: its model as JSON, the model's digest, and the previous entry of its path. */
export type PageTask = {
  path: string;
  model: string;
  source: string;
  old: Known | null;
  /** The previous entry of its Markdown twin, if it has one. */
  oldTwin?: Known | null;
};

/** The inputs of rendering besides the tasks; can be cloned to worker threads. */
export type RenderContext = {
  distFolder: string;
  info: ServiceInfo;
  productUrlTemplate: string | null;
  output: Output;
};

/** Renders and writes pages with their Markdown twins; returns their index lines as bytes. */
export type PageRenderer = (tasks: PageTask[]) => Promise<Uint8Array>;

/** A batch is rendered as a whole, then compressed and written, which keeps the CPU's caches warm. */
const TASKS_PER_BATCH = 100;
/** One batch in progress and one queued. */
const BATCHES_PER_WORKER = 2;
/** Starting a thread costs as much as rendering this many pages. */
const PAGES_PER_WORKER = 250;
/** Caps the heap: a thread retains nothing, so more memory would only delay garbage collection. */
const THREAD_LIMITS = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 24 };

/** Returns the path of a page's Markdown twin. */
export function twinOf(path: string): string {
  return `${path}.md`;
}

/** Opens a page renderer in this thread. */
export async function openPageRenderer(context: RenderContext): Promise<PageRenderer> {
  const { info, output } = context;
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
    // After all rendering: compressing in between would evict the renderer from the CPU's caches.
    const lines = made.map(([content, old]) => `${writeEntry(output, content, old)}\n`);
    return Buffer.from(lines.join(''), 'latin1');
  };
}

/** A batch of tasks, its queue, and its position in the queue. */
type Batch = { tasks: PageTask[]; queue: number; at: number };

/** Where index lines are kept until all pages are made, and what is told about the progress. */
type Rendering = { folder: string; onRendered: (pages: number) => void };

/**
 * Renders pages in this thread or, if there are many, in one thread per core; writes the index lines of each queue,
 * in task order, to a file of its own in `folder`, and returns these files: a million pages have 300 MB of lines.
 * There is one queue per folder of pages, because threads that create files in the same folder block each other.
 */
export async function renderPages(
  queues: AsyncIterable<PageTask>[],
  count: number,
  context: RenderContext,
  { folder, onRendered }: Rendering,
): Promise<string[]> {
  mkdirSync(folder);
  const files = queues.map((_, queue) => join(folder, String(queue)));
  const spools = files.map(openSpool);
  const keep = ({ tasks, queue, at }: Batch, lines: Uint8Array) => {
    spools[queue]?.(lines, at);
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
  return files;
}

/** Opens a new file for numbered pieces, which may arrive out of order. */
function openSpool(file: string): (piece: Uint8Array, at: number) => void {
  const early = new Map<number, Uint8Array>();
  let next = 0;
  writeFileSync(file, '');
  return (piece, at) => {
    early.set(at, piece);
    for (let due = early.get(next); due !== undefined; due = early.get(next)) {
      appendFileSync(file, due);
      early.delete(next);
      next += 1;
    }
  };
}

/** Keeps one thread busy until its batches run out. */
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
      // A thread answers in request order.
      keep(sent.shift() as Batch, lines);
      send().catch(fail);
    });
    worker.on('error', fail);
    worker.on('exit', () => fail(new Error('a rendering thread exited before finishing its work')));
    for (let batch = 0; batch < BATCHES_PER_WORKER; batch += 1) send().catch(fail);
  }).finally(() => worker.terminate());
}

/** Takes batches from the shared queues until all are empty, starting at one of them. */
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
