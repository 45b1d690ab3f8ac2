import { spawn } from 'node:child_process';
import { freePort } from './port.ts';

export type RedisServer = {
  url: string;
  port: number;
  signal(name: NodeJS.Signals): void;
  /** Resolves when it has ended. */
  stop(): Promise<void>;
};

/** Starts the Redis (or Valkey) of the machine, empty, on loopback; `npm test` installs it where it can. */
export async function startRedis(at?: number): Promise<RedisServer> {
  const port = at ?? (await freePort());
  const program = process.env.REDIS_SERVER_PATH ?? '/usr/bin/redis-server';
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  await new Promise<void>((ready, fail) => {
    child.once('error', fail);
    child.stdout.on('data', (chunk) => {
      if (/Ready to accept connections/.test(String(chunk))) ready();
    });
  });
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    signal: (name) => child.kill(name),
    stop: () => {
      child.kill('SIGKILL');
      return ended;
    },
  };
}
