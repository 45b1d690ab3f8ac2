import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Starts an HTTPS server on loopback whose self-signed certificate is valid for so many days. */
export async function startTlsServer(port: number, days: number): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-tls-server-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=v'];
  spawnSync('openssl', ['req', '-x509', ...made, '-days', `${days}`, '-keyout', key, '-out', cert]);
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) });
  rmSync(folder, { recursive: true });
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  return server;
}
