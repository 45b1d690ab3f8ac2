import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { makeLinks } from '../domain/links.ts';
import type { ServiceInfo } from '../domain/surface.ts';
import { type Content, type Shelf, writeEntry } from './entry-files.ts';
import type { ReleaseEntry } from './release-index.ts';
import { openRenderer } from './render.ts';
import type { OfferPage, PageSite, ProductPage } from './site.ts';

/** A page to render: its model as JSON, what it is made from, and what was published there before. */
export type PageTask = {
  path: string;
  model: string;
  source: string;
  old: ReleaseEntry | null;
  oldTwin: ReleaseEntry | null;
};

/** What rendering takes besides the tasks; it may be handed to another thread. */
export type RenderContext = {
  distFolder: string;
  info: ServiceInfo;
  productUrlTemplate: string | null;
  shelf: Shelf;
};

/** Renders and writes pages with their markdown twins; returns their lines of the index. */
export type PageRenderer = (tasks: PageTask[]) => Promise<string[]>;

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
    const made: [Content, ReleaseEntry | null][] = [];
    for (const { path, model, source, old, oldTwin } of tasks) {
      const page: OfferPage | ProductPage = JSON.parse(model);
      const site: PageSite = {
        info,
        links,
        product: () => page as ProductPage,
        offer: () => page as OfferPage,
      };
      made.push([{ path, source, ...(await render(path, site)) }, old]);
      made.push([{ path: twinOf(path), source, ...twin(page, site) }, oldTwin]);
    }
    // One after the other: compression and rendering would push each other out of the processor's cache.
    return made.map(([content, old]) => writeEntry(shelf, content, old));
  };
}

/**
 * Renders pages in this thread or, when there are many, spread over the cores. `tasks` are as many lists
 * as there are folders: threads that make files in one folder wait for each other.
 */
export async function renderPages(
  tasks: Iterable<PageTask>[],
  count: number,
  context: RenderContext,
  onLines: (lines: string[]) => void,
): Promise<void> {
  if (count === 0) return;
  const queues = tasks.map(inBatches);
  const workers = Math.min(availableParallelism(), Math.floor(count / PAGES_PER_WORKER));
  if (workers < 2) {
    const renderer = await openPageRenderer(context);
    for (const batch of takeAll(queues, 0)) onLines(await renderer(batch));
    return;
  }
  const pool = Array.from({ length: workers }, (_, at) =>
    runWorker(takeAll(queues, at), context, onLines),
  );
  await Promise.all(pool);
}

/** Keeps one thread busy until its batches are used up. */
function runWorker(
  batches: Generator<PageTask[]>,
  context: RenderContext,
  onLines: (lines: string[]) => void,
): Promise<void> {
  const worker = new Worker(new URL('./render-worker.ts', import.meta.url), {
    workerData: context,
    resourceLimits: THREAD_LIMITS,
  });
  return new Promise<void>((done, fail) => {
    let underWay = 0;
    const send = () => {
      try {
        const { value } = batches.next();
        if (value) {
          underWay += 1;
          worker.postMessage(value);
        } else if (underWay === 0) done();
      } catch (error) {
        fail(error);
      }
    };
    worker.on('message', (lines: string[]) => {
      underWay -= 1;
      onLines(lines);
      send();
    });
    worker.on('error', fail);
    worker.on('exit', () => fail(new Error('a rendering thread ended before its work was done')));
    for (let batch = 0; batch < BATCHES_PER_WORKER; batch += 1) send();
  }).finally(() => worker.terminate());
}

/** Takes what is left in queues that all threads share, beginning with one of them. */
function* takeAll(queues: Generator<PageTask[]>[], first: number): Generator<PageTask[]> {
  for (const at of queues.keys()) {
    const queue = queues[(first + at) % queues.length];
    for (let next = queue?.next(); next && !next.done; next = queue?.next()) yield next.value;
  }
}

function* inBatches(tasks: Iterable<PageTask>): Generator<PageTask[]> {
  let batch: PageTask[] = [];
  for (const task of tasks) {
    batch.push(task);
    if (batch.length === TASKS_PER_BATCH) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}
