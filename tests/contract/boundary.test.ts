import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openCurrentRelease } from '../../src/publish/release.ts';
import { newDatabase, runCommand } from '../support/service.ts';

it('an offer that starts or expires is published at the boundary, without an import or the next poll', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-boundary-'));
  const env = {
    DATABASE_URL: await newDatabase('empty'),
    DATA_DIR: dataDir,
    // The poll cannot be what publishes here.
    PUBLISH_CHECK_SECONDS: '3600',
  };
  const boundary = Date.now() + 20_000;
  const at = new Date(boundary).toISOString();
  const offer = (id: number, more: object) => ({
    kind: 'offer',
    id,
    merchant_id: 1,
    title: `Oferta ${id}`,
    ...more,
  });
  const records = [
    { kind: 'merchant', id: 1, name: 'Loja' },
    offer(1, { valid_until: at }),
    offer(2, { valid_from: at }),
  ];
  const feed = join(dataDir, 'feed.ndjson');
  writeFileSync(feed, records.map((record) => JSON.stringify(record)).join('\n'));
  expect(await runCommand('catalog-import', [feed], env)).toMatchObject({ code: 0 });
  const jobs = spawn(process.execPath, ['scripts/jobs.ts'], {
    env: { ...process.env, BASE_URL: '', ...env },
    stdio: 'ignore',
  });
  const states = new Set<string>();
  const published = () => {
    const release = openCurrentRelease(join(dataDir, 'releases'));
    const state = [1, 2].map((id) => {
      const known = release?.index.find(`/offers/${id}`) ?? null;
      return known === null ? 'never' : known === 'gone' ? 'gone' : 'there';
    });
    if (release !== null) states.add(state.join(' '));
    return release;
  };
  for (let attempt = 0; attempt < 400 && !states.has('gone there'); attempt += 1) {
    await new Promise((done) => setTimeout(done, 100));
    published();
  }
  const ended = new Promise((done) => jobs.once('exit', done));
  jobs.kill('SIGTERM');
  await ended;
  expect([...states]).toEqual(['there never', 'gone there']);
  expect(Date.parse(published()?.manifest.publishedAt ?? '')).toBeGreaterThanOrEqual(boundary);
});
