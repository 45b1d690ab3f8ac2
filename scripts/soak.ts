import { type Minute, measureMinute } from '../tests/load/soak.ts';
import { fail, readArguments, run } from './command.ts';

const HELP = `
Usage: npm run soak -- --url URL --ops URL [--minutes N] [--rate N]

Requests everything that a running service serves, N requests per second (default 100) for N minutes (default
60), and prints a line per minute. The service needs quotas that the test does not reach (docs/operate.md,
Settings). Fails if the service restarted, an answer was neither good nor a documented refusal, or memory or
descriptors kept growing.`;

/** Growth between the first and the last quarter that still counts as the heap settling. */
const MOST_GROWTH = 1.25;

const { values } = readArguments(HELP, {
  url: { type: 'string' },
  ops: { type: 'string' },
  minutes: { type: 'string', default: '60' },
  rate: { type: 'string', default: '100' },
});
const { url, ops } = values;
if (url === undefined || ops === undefined) fail('--url and --ops are needed; see --help');

await run(async () => {
  const minutes: Minute[] = [];
  for (let count = 0; count < Number(values.minutes); count += 1) {
    const minute = await measureMinute(url, ops, Number(values.rate));
    minutes.push(minute);
    const { outcomes, p99Ms, memoryMb, descriptors } = minute;
    const figures = `p99 ${p99Ms.toFixed(0)} ms, ${memoryMb.toFixed(0)} MB, ${descriptors} descriptors`;
    console.log(`minute ${count + 1}: ${figures}, ${JSON.stringify(outcomes)}`);
    const strange = Object.keys(outcomes).filter((outcome) => !['200', '500'].includes(outcome));
    if (strange.length > 0) fail(`unexpected outcomes: ${strange.join(', ')}`);
    if (minute.startedAt !== minutes[0]?.startedAt) fail('the service was restarted');
  }

  const quarter = Math.ceil(minutes.length / 4);
  for (const figure of ['memoryMb', 'descriptors'] as const) {
    const mean = (part: Minute[]) =>
      part.reduce((sum, minute) => sum + minute[figure], 0) / part.length;
    const [first, last] = [mean(minutes.slice(0, quarter)), mean(minutes.slice(-quarter))];
    if (last > first * MOST_GROWTH)
      fail(`${figure} grew from ${first.toFixed(0)} to ${last.toFixed(0)}`);
  }
  console.log('nothing grew, nothing restarted');
});
