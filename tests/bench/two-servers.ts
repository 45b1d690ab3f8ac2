import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Sql } from '../../src/data/connection/client.ts';
import { median } from '../support/quantile.ts';
import { type Row, type Server, startProcess } from './measure.ts';
import { throughput } from './throughput.ts';

type Grown = { database: { url: string; sql: Sql }; products: number };

const TICKS_PER_SECOND = 100;
const SECONDS = 3;
const ROUNDS = 3;
/** A rate at which the cores stay half idle with two servers and the load generator. */
const CALM_PER_SECOND = 3000;

/** Answers a second, and the CPU milliseconds of each: of the servers, and of the database. */
export type Cost = { rate: number; serverMs: number; databaseMs: number };

/** Measures what answers of these servers cost while some work asks for them; it returns how many. */
export async function measureCost(
  sql: Sql,
  servers: Server[],
  work: () => Promise<number>,
): Promise<Cost> {
  const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const postmaster = Number(statOf(backend?.pid ?? 0)[1]);
  const before = { servers: sumCpu(servers), database: databaseCpu(postmaster) };
  const started = performance.now();
  const answers = await work();
  const each = (cpu: number) => (cpu * 1000) / answers;
  return {
    rate: (answers * 1000) / (performance.now() - started),
    serverMs: each(sumCpu(servers) - before.servers),
    databaseMs: each(databaseCpu(postmaster) - before.database),
  };
}

/** Product statistics a second from one server and from two on one database, in turn. */
export async function compareServers(
  { database, products }: Grown,
  env: Record<string, string>,
  tell: (step: string) => void,
): Promise<Row[]> {
  const servers: Server[] = [];
  for (let count = 0; count < 2; count += 1) {
    servers.push(await startProcess(['scripts/serve.ts'], { ...env, DATABASE_URL: database.url }));
  }
  const path = () => `/api/public/v1/products/${1 + Math.floor(Math.random() * products)}/stats`;
  const measure = (asked: Server[], perSecond?: number) =>
    measureCost(database.sql, asked, async () => {
      const rates = await Promise.all(
        asked.map(({ url }) => throughput(url, SECONDS, path, perSecond)),
      );
      return rates.reduce((sum, rate) => sum + rate, 0) * SECONDS;
    });

  const one: Cost[] = [];
  const two: Cost[] = [];
  const calmOne: Cost[] = [];
  const calmTwo: Cost[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    tell(`one server beside two, round ${round + 1}`);
    one.push(await measure(servers.slice(0, 1)));
    two.push(await measure(servers));
    calmOne.push(await measure(servers.slice(0, 1), CALM_PER_SECOND));
    calmTwo.push(await measure(servers, CALM_PER_SECOND));
  }
  for (const { child } of servers) child.kill('SIGTERM');
  const pick = (all: Cost[], what: keyof Cost) => median(all.map((cost) => cost[what]));
  const ratio = pick(two, 'rate') / pick(one, 'rate');
  const words = (all: Cost[]) =>
    `server ${pick(all, 'serverMs').toFixed(3)} ms, database ${pick(all, 'databaseMs').toFixed(3)} ms`;
  // A server is one thread. Where each has a core, two carry twice as much, but for what the second one
  // makes an answer cost more.
  const spare = (2 * pick(calmOne, 'serverMs')) / pick(calmTwo, 'serverMs');
  return [
    {
      what: `product statistics, one server beside two, ${availableParallelism()} cores for everything`,
      ours: `${Math.round(pick(one, 'rate'))}/s, ${Math.round(pick(two, 'rate'))}/s`,
      peers: `${ratio.toFixed(2)}x`,
      goal: '',
    },
    {
      what: `CPU of an answer at ${CALM_PER_SECOND}/s a server, one beside two`,
      ours: `${words(calmOne)}; ${words(calmTwo)}`,
      peers: `2 servers carry ${spare.toFixed(2)}x with a core each`,
      goal: '>= 1.7x with cores to spare',
    },
  ];
}

/** The fields of a process from its state on (proc(5)): [1] its parent, [11] and [12] its CPU time. */
function statOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
  } catch {
    return [];
  }
}

const cpuOf = (fields: string[]) =>
  (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS_PER_SECOND;

function sumCpu(servers: Server[]): number {
  return servers.reduce((sum, { child }) => sum + cpuOf(statOf(child.pid ?? 0)), 0);
}

/** CPU seconds of the processes of a postmaster that run now. */
function databaseCpu(postmaster: number): number {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((fields) => Number(fields[1]) === postmaster)
    .reduce((sum, fields) => sum + cpuOf(fields), 0);
}
