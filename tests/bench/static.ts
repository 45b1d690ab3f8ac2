import { join } from 'node:path';
import { startNginx } from '../support/nginx.ts';
import { median } from '../support/quantile.ts';
import { currentRelease } from '../support/release.ts';
import { type Row, startProcess } from './measure.ts';
import { throughput } from './throughput.ts';

const ROUNDS = 3;
const SAMPLE = 2000;

/** Serves pages of the current release with our server, nginx and sirv, interleaved. */
export async function benchStatic(
  dataDir: string,
  databaseUrl: string,
  seconds: number,
): Promise<Row[]> {
  const releases = join(dataDir, 'releases');
  const release = currentRelease(releases);
  const base = release.index.indexes.at(-1)?.entries() ?? [];
  const pages = [...base].flatMap(([path, known]) =>
    known !== 'gone' && known.type.startsWith('text/html') ? [path] : [],
  );
  const step = Math.max(1, Math.floor(pages.length / SAMPLE));
  const some = pages.filter((_, at) => at % step === 0);
  const path = () => some[Math.floor(Math.random() * some.length)] ?? '/';
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, LOG_LEVEL: 'error' };
  const ours = await startProcess(['scripts/serve.ts'], env);
  const sirv = await startProcess(['tests/bench/sirv.ts', join(release.folder, 'base')], {});
  const nginx = await startNginx(releases, ours.url);
  try {
    const rates: Record<'ours' | 'nginx' | 'sirv', number[]> = { ours: [], nginx: [], sirv: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, { url }] of Object.entries({ ours, nginx, sirv })) {
        rates[name as keyof typeof rates].push(await throughput(url, seconds, path));
      }
    }
    const own = median(rates.ours);
    const beside = (name: 'nginx' | 'sirv') =>
      `${name} ${Math.round(median(rates[name]))}/s (${(own / median(rates[name])).toFixed(2)}x)`;
    return [
      {
        what: `static pages, ${some.length} in turn`,
        ours: `${Math.round(own)}/s`,
        peers: `${beside('nginx')}, ${beside('sirv')}`,
        goal: '',
      },
    ];
  } finally {
    ours.child.kill('SIGTERM');
    sirv.child.kill('SIGTERM');
    await nginx.stop();
  }
}
