import { createHash } from 'node:crypto';
import type { Sql } from '../data/connection/client.ts';
import { recordViews, type View } from '../data/statistics/activity.ts';

const BATCH_VIEWS = 5000;

/**
 * Records the view events of an NDJSON file in batches under keys made from their content and place, so
 * that an interrupted load can be run again. A line that is not JSON stops the load by its number; what
 * record_views refuses stops it with the batch's lines.
 */
export async function importViews(
  sql: Sql,
  source: AsyncIterable<string | null>,
  onProgress: (done: number) => void = () => {},
): Promise<{ views: number; batches: number }> {
  let batch: View[] = [];
  let line = 0;
  let views = 0;
  let batches = 0;
  const content = createHash('sha256');

  async function flush(): Promise<void> {
    if (batch.length === 0) return;
    content.update(JSON.stringify(batch));
    try {
      views += await recordViews(sql, batch, content.copy().digest('hex'));
    } catch (error) {
      const lines = `lines ${line - batch.length + 1} to ${line}`;
      throw new Error(`${lines}: ${(error as Error).message}`, { cause: error });
    }
    batches += 1;
    batch = [];
    onProgress(line);
  }

  for await (const text of source) {
    line += 1;
    if (text?.trim() === '') continue;
    if (text === null) throw new Error(`line ${line} is not UTF-8`);
    try {
      batch.push(JSON.parse(text) as View);
    } catch (error) {
      throw new Error(`line ${line} is not valid JSON: ${(error as Error).message}`);
    }
    if (batch.length === BATCH_VIEWS) await flush();
  }
  await flush();
  return { views, batches };
}
