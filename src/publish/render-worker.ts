import { parentPort, workerData } from 'node:worker_threads';
import { openPageRenderer, type PageTask, type RenderContext } from './render-pages.ts';

// A rendering thread: takes batches of tasks and returns index lines. A failure ends it, and the publish.
const renderer = await openPageRenderer(workerData as RenderContext);
parentPort?.on('message', async (tasks: PageTask[]) => {
  parentPort?.postMessage(await renderer(tasks));
});
