import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/port.ts';

const NGINX = process.env.NGINX_PATH ?? '/usr/sbin/nginx';
const MAIN = '/etc/nginx/nginx.conf';
const CACHE = '/var/lib/nginx/vitrine';
const SNAKEOIL = '/etc/ssl/certs/ssl-cert-snakeoil.pem';
const runs = existsSync(NGINX) && existsSync(MAIN) && process.getuid?.() === 0;
const written = readFileSync('scripts/deploy/nginx.conf', 'utf8');

let folder: string;
let hadCache: boolean;
let ca: Buffer;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-edge-'));
  hadCache = existsSync(CACHE);
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')];
  const name = ['-subj', '/CN=vitrine.example', '-addext', 'subjectAltName=DNS:vitrine.example'];
  spawnSync('openssl', ['req', '-x509', ...key, ...files, ...name, '-days', '2']);
  if (existsSync(join(folder, 'cert.pem'))) ca = readFileSync(join(folder, 'cert.pem'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  if (!hadCache) rmSync(CACHE, { recursive: true, force: true });
});

/** Debian's own main file with one site. */
function configWith(site: string, more: (main: string) => string = (main) => main): string {
  const file = join(folder, 'nginx.conf');
  const main = readFileSync(MAIN, 'utf8')
    .replace(/^\s*include \/etc\/nginx\/sites-enabled\/.*$/m, '')
    .replace('/etc/nginx/conf.d/*.conf', join(folder, 'site.conf'))
    .replace(/^pid .*$/m, `pid ${join(folder, 'nginx.pid')};`);
  writeFileSync(join(folder, 'site.conf'), site);
  writeFileSync(file, more(main));
  return file;
}

/** The certificate of Debian's ssl-cert, which an image may lack, or one of our own. */
const withCertificate = (site: string) =>
  existsSync(SNAKEOIL)
    ? site
    : site
        .replace(SNAKEOIL, join(folder, 'cert.pem'))
        .replace('/etc/ssl/private/ssl-cert-snakeoil.key', join(folder, 'key.pem'));

describe.runIf(runs)("scripts/deploy/nginx.conf in Debian's nginx", () => {
  it('passes nginx -t as it is written, without a warning', () => {
    const config = configWith(withCertificate(written));
    const { status, stderr } = spawnSync(NGINX, ['-t', '-c', config], { encoding: 'utf8' });
    expect([
      status,
      stderr.split('\n').filter((line) => !/is ok|is successful/.test(line)),
    ]).toEqual([0, ['']]);
  });

  it('answers over TLS 1.2 and 1.3, and sends plain HTTP there', async () => {
    const [plain, tls] = [await freePort(), await freePort()];
    const service = createServer((asked, response) => {
      response.end(JSON.stringify({ host: asked.headers.host, path: asked.url }));
    });
    await new Promise<void>((done) => service.listen(0, '127.0.0.1', done));
    const { port } = service.address() as { port: number };
    const site = written
      .replace('127.0.0.1:4321', `127.0.0.1:${port}`)
      .replace('listen 80;', `listen 127.0.0.1:${plain};`)
      .replace('listen 443 ssl', `listen 127.0.0.1:${tls} ssl`)
      .replace(/ssl_certificate .*;/, `ssl_certificate ${join(folder, 'cert.pem')};`)
      .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${join(folder, 'key.pem')};`)
      .replace(CACHE, join(folder, 'cache'));
    const config = configWith(site, (main) => main.replaceAll('/var/log/nginx', resolve(folder)));
    const nginx: ChildProcess = spawn(NGINX, ['-c', config, '-g', 'daemon off;'], {
      stdio: 'ignore',
    });
    const ask = (version: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') =>
      new Promise<string>((done, fail) => {
        const versions = { minVersion: version, maxVersion: version };
        const at = { host: '127.0.0.1', port: tls, servername: 'vitrine.example', ca };
        request(
          { ...at, ...versions, path: '/buscar?q=x', headers: { host: 'vitrine.example' } },
          (response) => {
            let body = '';
            response.on('data', (chunk) => {
              body += chunk;
            });
            response.on('end', () => done(body));
          },
        )
          .on('error', fail)
          .end();
      });
    try {
      await expect
        .poll(() => ask('TLSv1.3').catch((error) => error.code), { timeout: 20_000 })
        .toBe('{"host":"vitrine.example","path":"/buscar?q=x"}');
      expect(await ask('TLSv1.2')).toContain('vitrine.example');
      await expect(ask('TLSv1.1')).rejects.toThrow();
      const answer = await fetch(`http://127.0.0.1:${plain}/mcp?a=1`, {
        method: 'POST',
        redirect: 'manual',
      });
      expect(answer.status).toBe(308);
      expect(answer.headers.get('location')).toBe('https://vitrine.example/mcp?a=1');
    } finally {
      const ended = new Promise((done) => nginx.once('exit', done));
      nginx.kill('SIGTERM');
      await ended;
      service.close();
    }
  });
});
