import { type ChildProcess, spawn } from 'node:child_process';
import { freePort } from '../support/port.ts';

/** A line of a report: what was measured, our figure, those of the peers, what we aim at. */
export type Row = { what: string; ours: string; peers: string; goal: string };

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
