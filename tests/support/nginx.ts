import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './port.ts';

export type Nginx = { url: string; process: ChildProcess; stop(): Promise<void> };

/** Runs Debian's nginx with scripts/deploy/nginx.conf, its places adapted to the services under test. */
export async function startNginx(
  releases: string,
  serviceUrls: string | string[],
  at?: number,
): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-nginx-'));
  chmodSync(folder, 0o755);
  const port = at ?? (await freePort());
  const servers = [serviceUrls].flat().map((url) => `server ${new URL(url).host} fail_timeout=1s;`);
  const site = readFileSync('scripts/deploy/nginx.conf', 'utf8')
    .replace('server 127.0.0.1:4321 fail_timeout=1s;', servers.join(' '))
    .replace('/var/lib/nginx/vitrine', join(folder, 'cache'))
    // Without TLS, which tests/deploy/edge.test.ts tries: what redirects to it is left out.
    .replace(/^server \{\n {4}listen 80;[\s\S]*?^\}\n/m, '')
    .replace(/^ {4}ssl_.*\n/gm, '')
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
    .replace('/var/lib/vitrine/releases/current', join(releases, 'current'));
  mkdirSync(join(folder, 'temp'));
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, 'temp', name)};`,
  );
  writeFileSync(join(folder, 'site.conf'), site);
  writeFileSync(
    join(folder, 'nginx.conf'),
    [
      'daemon off; worker_processes 1; error_log stderr warn;',
      process.getuid?.() === 0 ? 'user root;' : '',
      `pid ${join(folder, 'nginx.pid')};`,
      'events { worker_connections 512; }',
      `http { access_log off; ${temp.join(' ')} include ${join(folder, 'site.conf')}; }`,
    ].join('\n'),
  );
  const program = process.env.NGINX_PATH ?? '/usr/sbin/nginx';
  const child = spawn(program, ['-c', join(folder, 'nginx.conf'), '-p', folder], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let words = '';
  child.stderr.on('data', (chunk) => {
    words += chunk;
  });
  const url = `http://127.0.0.1:${port}`;
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}: ${words}`);
    if (await fetch(url).then(Boolean, () => false)) break;
    await new Promise((done) => setTimeout(done, 50));
  }
  return {
    url,
    process: child,
    stop: () =>
      new Promise((done) => {
        child.once('exit', () => done());
        child.kill('SIGTERM');
      }),
  };
}
