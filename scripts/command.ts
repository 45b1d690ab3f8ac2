import type { ReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { type Config, ConfigError, readConfig } from '../src/config.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/**
 * Arguments of a command, with so many words beside its options (a number, or least and most). `--help`
 * prints the text and ends the process.
 */
export function readArguments<O extends Options>(
  help: string,
  options: O,
  positionals: number | [number, number] = 0,
) {
  const all = { ...options, help: { type: 'boolean', short: 'h' } } as const;
  let parsed: ReturnType<typeof parseArgs<{ options: typeof all; allowPositionals: true }>>;
  try {
    parsed = parseArgs({ options: all, allowPositionals: true });
  } catch (error) {
    fail((error as Error).message);
  }
  if ((parsed.values as { help?: boolean }).help) {
    process.stdout.write(`${help.trim()}\n`);
    process.exit(0);
  }
  const [least, most] = typeof positionals === 'number' ? [positionals, positionals] : positionals;
  const given = parsed.positionals.length;
  if (given < least || given > most) {
    const expected = least === most ? String(least) : `${least} to ${most}`;
    const [usage] = help.trim().split('\n');
    fail(`arguments expected: ${expected}, given: ${given}. ${usage}`);
  }
  return parsed;
}

/** Ends the process with clear words on stderr. */
export function fail(message: string): never {
  process.stderr.write(`vitrine: ${message}\n`);
  process.exit(1);
}

/** A file that the command names, from where npm was called; `-` is the standard input. */
export async function openInput(
  path: string,
): Promise<{ name: string; stream: NodeJS.ReadStream | ReadStream }> {
  if (path === '-') return { name: 'standard input', stream: process.stdin };
  const name = resolve(process.env.INIT_CWD ?? '.', path);
  try {
    const file = await open(name);
    if ((await file.stat()).isDirectory()) fail(`${name} is a folder`);
    return { name, stream: file.createReadStream() };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') fail(`there is no file ${name}`);
    fail(`${name} cannot be read (${code})`);
  }
}

/** Runs a command; a fault is told in its own words, without a stack. */
export async function run(work: (config: Config) => Promise<void>): Promise<void> {
  try {
    await work(readConfig(process.env));
  } catch (error) {
    if (error instanceof ConfigError) fail(`the environment is not valid\n${error.message}`);
    fail((error as Error).message);
  }
}

/** A progress bar on a terminal, plain lines otherwise, with the time left; on stderr, so that output stays clean. */
export function progress(label: string) {
  let start: { at: number; done: number } | null = null;
  let lastShare = -1;
  return (done: number, total: number) => {
    // Other work may have come before.
    start ??= { at: Date.now(), done };
    const share = total === 0 ? 100 : Math.floor((done / total) * 100);
    const step = process.stderr.isTTY ? 1 : 25;
    if (share < lastShare + step && share !== 100) return;
    if (share === lastShare) return;
    lastShare = share;
    const left = timeLeft(Date.now() - start.at, done - start.done, total - done);
    if (!process.stderr.isTTY) {
      process.stderr.write(`${label}: ${share} % (${done} of ${total})${left}\n`);
      return;
    }
    const bar = '█'.repeat(Math.round(share / 4)).padEnd(25, '░');
    // The rest of a longer line before is cleared.
    process.stderr.write(`\r${label} ${bar} ${share} %${left}\x1b[K${share === 100 ? '\n' : ''}`);
  };
}

/** How long the rest of some work takes if it goes on as it went; empty where nobody can tell yet. */
export function timeLeft(spentMs: number, done: number, left: number): string {
  if (done <= 0 || left <= 0) return '';
  const seconds = Math.round((spentMs * left) / done / 1000);
  return `, ${seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`} left`;
}

/** Resolves at the first SIGTERM or SIGINT, or when the terminal is closed. */
export function stopSignal(): Promise<string> {
  // Words to a terminal that is gone must not end the process before it has drained.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  return new Promise((done) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.on(signal, () => done(signal));
    }
  });
}
