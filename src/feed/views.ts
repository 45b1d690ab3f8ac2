import { createHash } from 'node:crypto';
import type { Sql } from '../data/connection/client.ts';
import { findRefusedView, recordViews, type View } from '../data/statistics/activity.ts';

const BATCH_VIEWS = 5000;

/** Why a load of views stopped, and at which line. */
export class ViewsError extends Error {
  readonly line: number;

  constructor(line: number, reason: string) {
    super(reason);
    this.line = line;
  }
}

/**
 * Records the view events of an NDJSON file in batches. Idempotency keys are derived from the content, so that an
 * interrupted load can be rerun. The first invalid line stops the load along with its batch.
 */
export async function importViews(
  sql: Sql,
  source: AsyncIterable<string | null>,
  onProgress: (done: number) => void = () => {},
): Promise<{ views: number; batches: number }> {
  let batch: View[] = [];
  // The line number of each event, since blank lines are skipped.
  let lines: number[] = [];
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
      const refused = await findRefusedView(sql, batch).catch(() => null);
      if (refused === null) throw error;
      throw new ViewsError(lines[refused.index] ?? line, refused.reason);
    }
    batches += 1;
    batch = [];
    lines = [];
    onProgress(line);
  }

  for await (const text of source) {
    line += 1;
    if (text?.trim() === '') continue;
    if (text === null) throw new ViewsError(line, 'is not UTF-8');
    try {
      batch.push(JSON.parse(text) as View);
      lines.push(line);
    } catch (error) {
      throw new ViewsError(line, `is not valid JSON: ${(error as Error).message}`);
    }
    if (batch.length === BATCH_VIEWS) await flush();
  }
  await flush();
  return { views, batches };
}
