import type { ReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { type Config, ConfigError, readConfig } from '../src/config.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/**
 * Parses the arguments of a command, with a number (or least and most) of positionals. `--help` prints the text and
 * exits.
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

/** Prints a message to stderr and exits with 1. */
export function fail(message: string): never {
  process.stderr.write(`vitrine: ${message}\n`);
  process.exit(1);
}

/** Opens a file, relative to where npm was called; `-` is standard input. */
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

/** Runs a command; errors are printed without a stack. */
export async function run(work: (config: Config) => Promise<void>): Promise<void> {
  try {
    await work(readConfig(process.env));
  } catch (error) {
    if (error instanceof ConfigError) fail(`the environment is not valid\n${error.message}`);
    fail((error as Error).message);
  }
}

/** Returns a progress reporter with the time left: a bar on a terminal, else lines. Uses stderr to keep output clean. */
export function progress(label: string) {
  let start: { at: number; done: number } | null = null;
  let lastShare = -1;
  return (done: number, total: number) => {
    // Items already done at the first call do not count for the speed.
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
    // \x1b[K clears the rest of a longer previous line.
    process.stderr.write(`\r${label} ${bar} ${share} %${left}\x1b[K${share === 100 ? '\n' : ''}`);
  };
}

/** Estimates the time left at the average speed so far; empty if unknown. */
export function timeLeft(spentMs: number, done: number, left: number): string {
  if (done <= 0 || left <= 0) return '';
  const seconds = Math.round((spentMs * left) / done / 1000);
  return `, ${seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`} left`;
}

/** Resolves at the first SIGTERM or SIGINT, or when the terminal is closed. */
export function stopSignal(): Promise<string> {
  // Writing to a closed terminal must not end the process before it has drained.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  return new Promise((done) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.on(signal, () => done(signal));
    }
  });
}
