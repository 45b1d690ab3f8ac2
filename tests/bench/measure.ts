import { type ChildProcess, spawn } from 'node:child_process';
import autocannon from 'autocannon';
import { freePort } from '../support/port.ts';

export type Server = { url: string; child: ChildProcess };

/** Starts a server process and waits for its ready line. */
export async function startProcess(args: string[], env: Record<string, string>): Promise<Server> {
  const port = await freePort();
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env, PORT: String(port), BASE_URL: `http://localhost:${port}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((ready, fail) => {
    child.once('exit', (code) => fail(new Error(`${args.join(' ')} ended with ${code}`)));
    child.stdout.on('data', (chunk) => {
      if (String(chunk).includes('is ready')) ready();
    });
  });
  child.removeAllListeners('exit');
  return { url: `http://127.0.0.1:${port}`, child };
}

/**
 * Requests a second over some seconds, 64 connections, as many as go or so many a second; `path` gives each
 * request its path.
 */
export async function throughput(
  url: string,
  seconds: number,
  path: () => string,
  perSecond?: number,
): Promise<number> {
  const result = await autocannon({
    url,
    connections: 64,
    duration: seconds,
    ...(perSecond === undefined ? {} : { overallRate: perSecond }),
    requests: [{ setupRequest: (request: object) => ({ ...request, path: path() }) }],
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} errors`);
  }
  return result.requests.average;
}

/** Milliseconds of one call after the other. */
export async function latencies(
  times: number,
  call: (index: number) => Promise<unknown>,
): Promise<number[]> {
  const all: number[] = [];
  for (let index = 0; index < times; index += 1) {
    const started = performance.now();
    await call(index);
    all.push(performance.now() - started);
  }
  return all;
}

/** The value below which a share of the sorted values lies. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: number[]): number => quantile(values, 0.5);
