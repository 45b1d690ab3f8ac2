import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** What a process took: wall and CPU seconds, and the most memory it held at once, in MB. */
export type Usage = { wall: number; cpu: number; memory: number };

const TICKS_PER_SECOND = 100;
const LOOK_MS = 20;

/**
 * Runs a process to its end and measures it (Linux: from /proc). Syncs the disk first: what the
 * previous one left to write must not be charged to it.
 */
export async function measureProcess(
  command: string,
  args: string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Usage> {
  spawnSync('sync');
  const cpuBefore = childrenCpu();
  const started = performance.now();
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let words = '';
  child.stderr.on('data', (chunk) => {
    words = (words + chunk).slice(-2000);
  });
  let memory = 0;
  const timer = setInterval(() => {
    memory = Math.max(memory, peakMemory(child.pid ?? 0));
  }, LOOK_MS);
  const code = await new Promise<number | null>((done, fail) => {
    child.once('error', fail);
    child.once('close', done);
  });
  clearInterval(timer);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}: ${words}`);
  return { wall: (performance.now() - started) / 1000, cpu: childrenCpu() - cpuBefore, memory };
}

/** CPU seconds of all processes that this one waited for, theirs included (proc(5), cutime and cstime). */
function childrenCpu(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}

/** The high-water mark of a process's memory, in MB; 0 when it is gone. */
function peakMemory(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
