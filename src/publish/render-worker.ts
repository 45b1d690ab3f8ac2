import { parentPort, workerData } from 'node:worker_threads';
import { openPageRenderer, type PageTask, type RenderContext } from './render-pages.ts';

// A rendering thread: batches of tasks in, lines of the index out. A failure ends it, and the publish.
const renderer = await openPageRenderer(workerData as RenderContext);
parentPort?.on('message', async (tasks: PageTask[]) => {
  parentPort?.postMessage(await renderer(tasks));
});
