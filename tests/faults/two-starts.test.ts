import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/data/connection/client.ts';

/** Starts the embedded Postgres of a folder as `npm start` does, and holds it until it is told to stop. */
const PROGRAM = `
import { startEmbedded } from '${resolve('src/embedded/postgres.ts')}';
try {
  const database = await startEmbedded({ folder: process.argv[1], alone: process.argv[2] === 'alone' });
  process.on('SIGTERM', () => database.stop().then(() => process.exit(0)));
  setInterval(() => {}, 1000);
  console.log(database.url);
} catch (error) {
  console.log(error.message);
}`;

function start(folder: string, how: string): { child: ChildProcess; said: Promise<string> } {
  const args = ['--input-type=module', '-e', PROGRAM, folder, how];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const said = new Promise<string>((done) => {
    child.stdout?.once('data', (words) => done(String(words).trim()));
  });
  return { child, said };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await ended;
}

/** A folder in which a process that is gone was about to start. */
function folderLeftBehind(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-two-'));
  mkdirSync(join(folder, 'postgres'));
  // Above the largest pid of Linux.
  writeFileSync(join(folder, 'postgres/start.lock'), '4194305');
  return join(folder, 'postgres');
}

describe('concurrent starts on a new data directory, where one died before,', () => {
  it('are one start; the others are refused', async () => {
    const folder = folderLeftBehind();
    const starts = Array.from({ length: 4 }, () => start(folder, 'alone'));
    const said = await Promise.all(starts.map((one) => one.said));
    const started = said.filter((words) => words.startsWith('postgres://'));
    expect(started).toHaveLength(1);
    const owner = starts[said.indexOf(started[0] ?? '')]?.child.pid;
    for (const words of said.filter((one) => !started.includes(one))) {
      expect(words).toMatch(new RegExp(`^process ${owner} runs the embedded Postgres`));
    }
    expect(readdirSync(folder).filter((name) => name.includes('lock'))).toEqual([]);
    for (const { child } of starts) await stop(child);
    rmSync(folder, { recursive: true });
  });

  it('are one start; the others join it', async () => {
    const folder = folderLeftBehind();
    const starts = Array.from({ length: 4 }, () => start(folder, 'together'));
    const said = await Promise.all(starts.map((one) => one.said));
    expect(new Set(said).size).toBe(1);
    expect(said[0]).toMatch(/^postgres:\/\//);
    for (const { child } of starts) await stop(child);
    rmSync(folder, { recursive: true });
  });
});

describe('a database whose owner is too busy to look after it', () => {
  it('answers, however much it logs', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-busy-'));
    const { child, said } = start(folder, 'alone');
    const sql = openDatabase(await said, { max: 1 });
    child.kill('SIGSTOP');
    onTestFinished(() => void child.kill('SIGKILL'));
    await sql`set log_statement = 'all'`;
    // More than a pipe holds.
    const long = 'x'.repeat(1000);
    for (let asked = 0; asked < 200; asked += 1) await sql.unsafe(`select '${long}'`);
    await sql.end();
    child.kill('SIGCONT');
    await stop(child);
    expect(statSync(join(folder, 'postgres.log')).size).toBeGreaterThan(200_000);
    rmSync(folder, { recursive: true });
  });
});
