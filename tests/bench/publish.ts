import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type Sql } from '../../src/data/connection/client.ts';
import { migrate } from '../../src/data/migrate.ts';
import { isListPath } from '../../src/domain/lists.ts';
import { startEmbedded } from '../../src/embedded/postgres.ts';
import { isRecordPath } from '../../src/publish/plan.ts';
import type { Release } from '../../src/publish/release.ts';
import { lexiconVersion } from '../../src/understand/lexicon/lexicon.ts';
import { currentRelease, pathsOf } from '../support/release.ts';
import { changePrices, generateMall } from './generate-mall.ts';
import type { Row } from './measure.ts';
import { measureProcess, type Usage } from './processes.ts';
import { checkOutput, readPage } from './publish-check.ts';
import { makeEleventy, makeHugo, type Peer } from './publish-peers.ts';
import { benchStatic } from './static.ts';

const OFFERS = 50_000;
const CHANGED = 500;
const ROUNDS = 10;
const FLAT_OUT = ['scripts/catalog-publish.ts'];

/**
 * Publishes a mall of 50,000 offers and their products at scale 1, beside Eleventy and Hugo making equivalent record
 * pages and twins from the same database, precompressed as ours are, but no lists and documents; then serves the
 * release beside nginx and sirv. Hugo and nginx are Debian's.
 */
export async function benchPublish(scale: number, seconds: number): Promise<Row[]> {
  const tell = (step: string) => process.stderr.write(`bench: ${step}\n`);
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-publish-'));
  const cluster = await startEmbedded({
    folder: join(folder, 'postgres'),
    settings: ['shared_buffers=256MB'],
  });
  const sql = openDatabase(cluster.url, { max: 2 });
  const env = { DATABASE_URL: cluster.url, DATA_DIR: folder, BASE_URL: 'http://localhost:4321' };
  try {
    tell(`${Math.round(OFFERS * scale)} offers and their products`);
    await migrate(sql);
    await generateMall(sql, Math.round(OFFERS * scale));
    // Not about the search index: the catalog is marked as indexed.
    await sql`update catalog_state set lexicon_version = ${lexiconVersion()}`;
    const ours = await measureOurs(sql, env, tell);
    const release = currentRelease(join(folder, 'releases'));
    const peers = await measurePeers(folder, release, env, tell);
    const rows = compare(ours, peers, contentsOf(release));
    tell('serving the release');
    return [...rows, ...(await benchStatic(folder, cluster.url, seconds))];
  } finally {
    await sql.end();
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Ours = {
  full: Usage;
  changed: Usage;
  tenth: Usage;
  one: Usage;
  nothing: Usage;
  compare: Usage;
};
type Env = Record<string, string>;

async function measureOurs(sql: Sql, env: Env, tell: (step: string) => void): Promise<Ours> {
  const publish = (...args: string[]) =>
    measureProcess(process.execPath, [...FLAT_OUT, ...args], { env });
  tell('ours: full');
  const full = await publish('--full');
  tell('ours: nothing and one changed, 500 changed ten times over, every page compared');
  const nothing = await publish();
  await changePrices(sql, 1);
  const one = await publish();
  const rounds: Usage[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await changePrices(sql, CHANGED);
    rounds.push(await publish());
  }
  const [changed, tenth] = [rounds[0] ?? full, rounds[ROUNDS - 1] ?? full];
  return { full, nothing, one, changed, tenth, compare: await publish('--compare') };
}

type PeerUsage = { name: string; prepare: Usage; render: Usage; compress: Usage };

async function measurePeers(
  folder: string,
  release: Release,
  env: Env,
  tell: (step: string) => void,
): Promise<PeerUsage[]> {
  const css = /<style>(.*?)<\/style>/s.exec(readPage(release, '/offers/1'))?.[1] ?? '';
  const peers: Peer[] = [makeEleventy(join(folder, 'eleventy'), css)];
  if (existsSync(process.env.HUGO_PATH ?? '/usr/bin/hugo')) {
    peers.push(makeHugo(join(folder, 'hugo'), css));
  } else tell('hugo is missing: apt-get install hugo');
  const results: PeerUsage[] = [];
  for (const peer of peers) {
    tell(`${peer.name}: full`);
    const node = (...args: string[]) => measureProcess(process.execPath, args, { env });
    const prepare = await node('tests/bench/peer-data.ts', peer.name.toLowerCase(), peer.folder);
    const { command, args } = peer;
    const render = await measureProcess(command, args, { cwd: peer.folder, env: peer.env });
    checkOutput(peer, release);
    const compress = await node('tests/bench/compress.ts', peer.output);
    results.push({ name: peer.name, prepare, render, compress });
  }
  return results;
}

/** What a full publish makes; peers make the first part only. */
function contentsOf(release: Release): string {
  const paths = pathsOf(release);
  const records = paths.filter(isRecordPath).length;
  const lists = paths.filter(isListPath).length;
  const others = paths.length - records - lists;
  return `${records / 2} pages and twins; ours also ${lists} list pages and ${others} other documents`;
}

function compare(
  { full, changed, tenth, one, nothing, compare }: Ours,
  peers: PeerUsage[],
  contents: string,
): Row[] {
  const total = ({ prepare, render, compress }: PeerUsage): Usage => ({
    wall: prepare.wall + render.wall + compress.wall,
    cpu: prepare.cpu + render.cpu + compress.cpu,
    memory: Math.max(prepare.memory, render.memory, compress.memory),
  });
  const beside = (own: Usage, pick: (peer: PeerUsage) => Usage) =>
    peers
      .map((peer) => `${peer.name} ${words(pick(peer))} (${ratio(pick(peer).wall, own.wall)})`)
      .join('; ');
  const uncompressed = ({ prepare, render }: PeerUsage): Usage => ({
    wall: prepare.wall + render.wall,
    cpu: prepare.cpu + render.cpu,
    memory: Math.max(prepare.memory, render.memory),
  });
  return [
    {
      what: `full publish: ${contents}`,
      ours: words(full),
      peers: beside(full, total),
      goal: '>= 1.5x Eleventy and Hugo each, < 600 MB',
    },
    {
      what: 'full publish, peers without compression',
      ours: words(full),
      peers: beside(full, uncompressed),
      goal: '>= 1x Eleventy',
    },
    {
      what: `${CHANGED} changed`,
      ours: `${words(changed)}, 1/${(full.wall / changed.wall).toFixed(1)} of full`,
      peers: beside(changed, total),
      goal: '<= 1/20 of full',
    },
    {
      what: `${CHANGED} changed, the tenth time`,
      ours: `${words(tenth)}, ${(tenth.wall / changed.wall).toFixed(2)}x the first`,
      peers: '',
      goal: '1x',
    },
    {
      what: 'one price changed',
      ours: words(one),
      peers: beside(one, total),
      goal: '<= 1.5 s',
    },
    {
      what: 'nothing changed',
      ours: words(nothing),
      peers: beside(nothing, total),
      goal: '<= 1 s',
    },
    { what: 'every page compared', ours: words(compare), peers: '', goal: '' },
  ];
}

function words({ wall, cpu, memory }: Usage): string {
  return `${wall.toFixed(1)} s, ${cpu.toFixed(1)} CPU-s, ${memory.toFixed(0)} MB`;
}

function ratio(theirs: number, ours: number): string {
  return `${(theirs / ours).toFixed(1)}x`;
}
