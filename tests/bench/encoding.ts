import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync } from 'node:zlib';
import { brotliOptions } from '../../src/http/encoding.ts';
import { listTools } from '../../src/live/mcp/tool-schemas.ts';
import { TOOLS } from '../../src/live/mcp/tools.ts';
import { quantile } from '../support/quantile.ts';

// What it costs to compress an answer at once, and in the thread pool: node tests/bench/encoding.ts
const ROUNDS = 15;
const ANSWERS = 400;
const AT_ONCE = 8;

const body = JSON.stringify(listTools(TOOLS));
const options = brotliOptions(body);
const inPool = promisify(brotliCompress);
const ways: Record<string, () => Promise<unknown>> = {
  'at once': async () => brotliCompressSync(body, options),
  'in the thread pool': () => inPool(body, options),
};

/** CPU time of an answer, and how long it takes by the clock, in microseconds. */
async function measure(compress: () => Promise<unknown>) {
  const waits: number[] = [];
  const before = process.cpuUsage();
  const connection = async () => {
    for (let answer = 0; answer < ANSWERS / AT_ONCE; answer += 1) {
      const started = performance.now();
      await compress();
      waits.push((performance.now() - started) * 1000);
      await new Promise((turn) => setImmediate(turn));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, connection));
  const { user, system } = process.cpuUsage(before);
  waits.sort((a, b) => a - b);
  return {
    cpu: (user + system) / ANSWERS,
    wait: quantile(waits, 0.5),
    late: quantile(waits, 0.99),
  };
}

type Cost = Awaited<ReturnType<typeof measure>>;

const results = new Map<string, Cost[]>();
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [name, compress] of Object.entries(ways)) {
    const one = await measure(compress);
    // The first two rounds warm up.
    if (round >= 2) results.set(name, [...(results.get(name) ?? []), one]);
  }
}
console.log(`${body.length} bytes to ${brotliCompressSync(body, options).length}`);
for (const [name, all] of results) {
  const typical = (figure: keyof Cost) =>
    quantile(
      all.map((one) => one[figure]).sort((a, b) => a - b),
      0.5,
    ).toFixed(0);
  console.log(
    `${name}: ${typical('cpu')} us of CPU; done after ${typical('wait')} us, p99 ${typical('late')} us`,
  );
}
