import { type ChildProcess, spawn } from 'node:child_process';

/** A process of a test, and how it ends. */
export type Spawned = {
  child: ChildProcess;
  /** Sends the signal and waits for the end; returns the exit code, null when the signal ended it. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
};

/** Starts Node with a script that goes on running, and waits until it says a word. */
export async function spawnUntil(
  args: string[],
  env: Record<string, string | undefined>,
  word: string,
  cwd = '.',
): Promise<Spawned> {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let words = '';
  child.stderr.on('data', (chunk) => {
    words = (words + chunk).slice(-4000);
  });
  await new Promise<void>((ready, fail) => {
    child.once('error', fail);
    child.once('exit', (code) => fail(new Error(`${args.join(' ')} ended with ${code}: ${words}`)));
    child.stdout.on('data', (chunk) => {
      if (String(chunk).includes(word)) ready();
    });
  });
  child.removeAllListeners('exit');
  return {
    child,
    async stop(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const ended = new Promise<number | null>((done) => child.once('exit', done));
      child.kill(signal);
      return ended;
    },
  };
}
