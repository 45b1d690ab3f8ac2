import { readdirSync, readFileSync } from 'node:fs';

/** Memory of a process that is really there, in MB, and how many descriptors it holds (Linux). */
export function processStats(pid: number): { memoryMb: number; descriptors: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const resident = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]);
  return { memoryMb: resident / 1024, descriptors: readdirSync(`/proc/${pid}/fd`).length };
}
