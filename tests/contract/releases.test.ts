import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/data/connection/client.ts';
import { LONG } from '../support/long.ts';
import { checkRelease, currentRelease } from '../support/release.ts';
import { newDatabase, runCommand } from '../support/service.ts';

/** A catalog of its own, loaded from a feed of products, with a folder for its releases. */
async function openMall() {
  const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-releases-'));
  const file = join(dataDir, 'feed.ndjson');
  const env = { DATABASE_URL: await newDatabase('empty'), DATA_DIR: dataDir };
  return {
    env,
    root: join(dataDir, 'releases'),
    publish: (...args: string[]) => runCommand('catalog-publish', args, env),
    load(ids: number[]) {
      const records = [
        { kind: 'merchant', id: 1, name: 'Loja' },
        ...ids.map((id) => ({ kind: 'product', id, merchant_id: 1, name: `Item ${id}` })),
      ];
      writeFileSync(file, records.map((record) => JSON.stringify(record)).join('\n'));
    },
    /** Changes the catalog as a feed would, only quicker. */
    async change(statement: string) {
      const sql = openDatabase(env.DATABASE_URL, { max: 1 });
      await sql.unsafe(statement);
      await sql.end();
    },
    async feed() {
      const { code, stderr } = await runCommand('catalog-import', [file, '--replace'], env);
      expect([code, stderr]).toEqual([0, expect.anything()]);
    },
  };
}

/** How often a publish is killed. */
const KILLS = LONG ? 100 : 10;

const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** The paths that the current release tells caches to forget. */
function purged(root: string): string[] {
  const text = readFileSync(join(root, 'current', 'purge.txt'), 'utf8');
  return text.split('\n').flatMap((address) => (address === '' ? [] : [new URL(address).pathname]));
}

describe('a sudden loss of more than half of the catalog', () => {
  it('is not published unless it is forced, when no import removed it; half of it is', async () => {
    const mall = await openMall();
    mall.load(range(40));
    await mall.feed();
    expect(await mall.publish()).toMatchObject({ code: 0 });
    const before = readlinkSync(join(mall.root, 'current'));

    await mall.change('delete from product where id > 19');
    const refused = await mall.publish();
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/21 of 40 pages would be withdrawn.*no import.*--force/);
    expect(readlinkSync(join(mall.root, 'current'))).toBe(before);
    const elsewhere = { ...mall.env, DATABASE_URL: await newDatabase('empty') };
    const wrong = await runCommand('catalog-publish', [], elsewhere);
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(/40 of 40 pages/)]);

    mall.load(range(20));
    await mall.feed();
    expect((await mall.publish()).stdout).toMatch(/20 pages;.* 20 withdrawn/);
    expect(purged(mall.root)).toEqual(expect.arrayContaining(['/products/21', '/products/21.md']));
    expect(purged(mall.root)).not.toContain('/products/1');
    await mall.change('delete from product where id > 2');
    expect((await mall.publish('--force')).stdout).toMatch(/2 pages;.* 18 withdrawn/);
    checkRelease(mall.root);
  });

  it('is published when imports removed it, each less than half of what there was', async () => {
    const mall = await openMall();
    mall.load(range(60));
    await mall.feed();
    await mall.publish();
    for (const count of [40, 25, 15]) {
      mall.load(range(count));
      await mall.feed();
    }
    expect((await mall.publish()).stdout).toMatch(/15 pages;.* 45 withdrawn/);
  });

  it('does not count offers whose time is over, nor the sample that a catalog replaces', async () => {
    const url = await newDatabase('sample');
    const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-loss-'));
    const env = { DATABASE_URL: url, DATA_DIR: dataDir };
    expect(await runCommand('catalog-publish', [], env)).toMatchObject({ code: 0 });
    const feed = join(dataDir, 'feed.ndjson');
    const offers = range(30).map((id) => ({
      kind: 'offer',
      id,
      merchant_id: 1,
      title: `Oferta ${id}`,
    }));
    const records = [{ kind: 'merchant', id: 1, name: 'Loja' }, ...offers];
    writeFileSync(feed, records.map((record) => JSON.stringify(record)).join('\n'));
    expect(await runCommand('catalog-import', [feed, '--replace'], env)).toMatchObject({ code: 0 });
    expect((await runCommand('catalog-publish', [], env)).stdout).toMatch(/30 pages/);
    // As if they had just expired.
    const sql = openDatabase(url, { max: 1 });
    await sql`update offer set valid_until = now()`;
    await sql.end();
    expect((await runCommand('catalog-publish', [], env)).stdout).toMatch(/0 pages;.*30 withdrawn/);
  });
});

describe('a publish', () => {
  it('that is killed at any instant leaves a whole release, and the next one works', async () => {
    const mall = await openMall();
    mall.load(range(600));
    await mall.feed();
    const started = performance.now();
    expect(await mall.publish()).toMatchObject({ code: 0 });
    const wholeMs = performance.now() - started;
    for (let attempt = 0; attempt < KILLS; attempt += 1) {
      await mall.change(`update product set description = 'Texto ${attempt}'`);
      const child = spawn(process.execPath, ['scripts/catalog-publish.ts'], {
        env: { ...process.env, BASE_URL: '', ...mall.env },
        stdio: 'ignore',
      });
      const ended = new Promise((done) => child.once('exit', done));
      // Spread over the time that a whole one takes, at random within each share of it.
      const instant = ((attempt + Math.random()) / KILLS) * wholeMs;
      await new Promise((done) => setTimeout(done, instant));
      child.kill('SIGKILL');
      await ended;
      expect(checkRelease(mall.root).filter((path) => path.startsWith('/products/'))).toHaveLength(
        1200,
      );
    }
    expect(await mall.publish('--full')).toMatchObject({ code: 0 });
    expect(checkRelease(mall.root)).toContain('/products/600.md');
    expect(readdirSync(mall.root).filter((name) => name.endsWith('.building'))).toEqual([]);
  }, 600_000);

  it('is done once by two concurrent processes, also the first time', async () => {
    const mall = await openMall();
    mall.load(range(600));
    await mall.feed();
    const both = await Promise.all([mall.publish(), mall.publish()]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(both.map(({ stdout }) => stdout).sort()).toEqual([
      expect.stringContaining('Nothing changed'),
      expect.stringContaining('600 rendered'),
    ]);
    checkRelease(mall.root);
  });

  it('waits for another one, and then does what is left', async () => {
    const mall = await openMall();
    mall.load(range(20));
    await mall.feed();
    await mall.publish();
    await mall.change(`update product set name = 'Novo' where id = 7`);
    const key = readFileSync(join(mall.root, '.key'), 'utf8');
    const sql = openDatabase(mall.env.DATABASE_URL, { max: 2 });
    const other = await sql.reserve();
    await other`select pg_advisory_lock(726114, ${key}::text::int)`;
    const waiting = mall.publish();
    const isWaiting = () =>
      sql`select from pg_locks where locktype = 'advisory' and not granted and database =
        (select oid from pg_database where datname = current_database())`;
    await expect.poll(isWaiting, { timeout: 20_000 }).toHaveLength(1);
    other.release();
    const { stdout, stderr } = await waiting;
    expect(stderr).toContain('waiting for another process');
    expect(stdout).toMatch(/20 pages; \d rendered/);
    await sql.end();
  });

  it('shares unchanged pages with the release before, and folds its layers when many changed', async () => {
    const mall = await openMall();
    mall.load(range(1500));
    await mall.feed();
    await mall.publish();
    const manifest = () => currentRelease(mall.root).manifest;
    const { base } = manifest();
    expect(manifest()).toMatchObject({ pages: 1500, recent: null, ownPaths: 0, recentPaths: 0 });
    expect(purged(mall.root)).toEqual([]);

    await mall.change(`update product set name = 'Nova' where id = 700`);
    const { stdout } = await mall.publish();
    // Its own page, those of the three before it, which mention it, and the two list pages that show it: of its
    // merchant and of products without a category.
    expect(stdout).toMatch(/1500 pages; 4 rendered, 1496 unchanged/);
    expect(manifest()).toMatchObject({ base, recent: null, ownPaths: 10 });
    checkRelease(mall.root);
    const forgotten = purged(mall.root).filter((path) => /^\/products\/\d+$/.test(path));
    expect(forgotten).toEqual(['/products/697', '/products/698', '/products/699', '/products/700']);

    await mall.change(`update product set description = 'Outra' where id <= 300`);
    await mall.publish();
    expect(manifest()).toMatchObject({ base, ownPaths: 0, recentPaths: 610 });
    // The release that only has other layers goes on telling what the publish before it changed.
    expect(purged(mall.root)).toEqual(expect.arrayContaining(['/products/1', '/products/300.md']));
    checkRelease(mall.root);

    await mall.change('delete from product where id <= 100');
    expect((await mall.publish()).stdout).toMatch(/1400 pages; 0 rendered, .* 100 withdrawn/);
    await mall.change(
      `update product set description = 'Mais outra' where id > 100 and id <= 1200`,
    );
    await mall.publish();
    expect(manifest()).toMatchObject({ pages: 1400, recent: null, ownPaths: 0, recentPaths: 0 });
    expect(manifest().base).not.toBe(base);
    expect(checkRelease(mall.root)).not.toContain('/products/100');
  });
});
