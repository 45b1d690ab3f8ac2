import { type FeedFault, type FeedLine, readFeed } from '../../src/feed/read.ts';

/** A whole feed: its good lines and the faults of the others. */
export async function readWhole(source: Parameters<typeof readFeed>[0]) {
  const lines: FeedLine[] = [];
  const faults: FeedFault[] = [];
  for await (const one of readFeed(source)) {
    if ('record' in one) lines.push(one);
    else faults.push(one);
  }
  return { lines, faults };
}
