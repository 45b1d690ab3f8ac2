import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LONG } from '../support/long.ts';
import { type Machine, machineFault, startMachine } from '../support/machine.ts';

const git = (...args: string[]) =>
  spawnSync('git', args, { encoding: 'utf8' }).stdout.trim() || null;
const [version, before] = [git('rev-parse', 'HEAD'), git('rev-parse', '--verify', '-q', 'HEAD~1')];
const fault = !LONG
  ? 'npm run test:deploy runs it'
  : before === null
    ? 'this clone has not the commit before'
    : machineFault();
if (fault !== null) console.warn(`The walk by the runbook is left out: ${fault}.`);

/** What the runbook leaves to the operator. `db1` and the host of the pages are names in /etc/hosts. */
const CHOSEN = {
  REPOSITORY: 'file:///srv/vitrine.git',
  FEED: '/opt/vitrine/src/sample/catalog.ndjson',
  VERSION: 'next',
};
const runbook = readFileSync('scripts/deploy/README.md', 'utf8');

/** The commands of a section, a text a block. */
function blocksOf(heading: string): string[] {
  const [, rest = ''] = runbook.split(`\n## ${heading}\n`);
  const [section = ''] = rest.split('\n## ');
  return [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, commands = '']) =>
    Object.entries(CHOSEN).reduce(
      (text, [word, value]) => text.replace(new RegExp(`\\b${word}\\b`), value),
      commands,
    ),
  );
}

let machine: Machine;

/** Runs the commands of a block; what needs packages has the network of the machine below. */
function follow(block: string, cwd: string): string {
  const lines = block.split('\n');
  const at = lines.findIndex((line) => line.includes('npm run build'));
  if (at === -1) return machine.run(block, { cwd });
  const first = at === 0 ? '' : machine.run(lines.slice(0, at).join('\n'), { cwd });
  machine.run(lines[at] ?? '', { cwd, online: true });
  return first + machine.run(lines.slice(at + 1).join('\n'), { cwd: '/opt/vitrine' });
}

const EDGE = 'https://vitrine.example';
/** Asks as a client does, by TLS with a verified certificate; fails unless the answer is a 200. */
const ask = (path: string, options = '') =>
  machine.run(`curl -sSf --cacert ${CERTIFICATE} ${options} '${EDGE}${path}'`);
const CERTIFICATE = '/etc/ssl/certs/ssl-cert-snakeoil.pem';
const rpc = (name: string, args: object) => {
  const params = { name, arguments: args };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const fields = ['content-type: application/json', 'accept: application/json, text/event-stream'];
  return `${fields.map((field) => `-H '${field}'`).join(' ')} --data '${body}'`;
};
const views = () => JSON.parse(ask('/api/public/v1/products/10001/stats')).viewsCount as number;
const isReady = (port: number) =>
  machine.run(
    `curl -sf --retry 30 --retry-delay 1 --retry-connrefused http://127.0.0.1:${port}/readyz`,
  );
const READY = '{"database":true,"schema":true,"published":true,"accepting":true}';

/** A mall is online: pages, statistics and the catalog server, all behind TLS. */
function expectOnline(): void {
  expect(ask('/products/10001')).toContain('<h1');
  expect(views()).toBe(2);
  const found = ask('/mcp', rpc('search_local_products', { query: 'pizza' }));
  expect(JSON.parse(found).result.structuredContent.result_count).toBeGreaterThan(0);
  expect(machine.run('systemctl --failed --plain --no-legend')).toBe('');
}

beforeAll(async () => {
  if (fault !== null) return;
  machine = await startMachine();
  machine.run(`
    echo '127.0.0.1 localhost db1 vitrine.example' > /etc/hosts
    for each in $(pg_lsclusters -h | cut -d ' ' -f 1,2 | tr ' ' /); do pg_dropcluster $(echo $each | tr / ' '); done
    pg_createcluster 15 main --port 5432 -- --auth-local=peer && systemctl start postgresql@15-main nginx
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=vitrine.example \
      -addext subjectAltName=DNS:vitrine.example -out ${CERTIFICATE} -keyout /etc/ssl/private/ssl-cert-snakeoil.key
    git -c safe.directory='*' clone -q --bare file://${resolve('.')} /srv/vitrine.git
    cd /srv/vitrine.git && git update-ref --no-deref HEAD ${before} && git tag next ${version}`);
}, 120_000);
afterAll(async () => {
  await machine?.remove();
});

describe.runIf(fault === null)(
  'the runbook, followed to the letter on a Debian of its own,',
  () => {
    it('ends with a mall online behind TLS', { timeout: 600_000 }, () => {
      const [setUp = ''] = blocksOf('Set up');
      expect(follow(setUp, '/root').endsWith(READY)).toBe(true);
      expect(machine.run('git -C /opt/vitrine rev-parse HEAD').trim()).toBe(before);
      for (let time = 0; time < 2; time += 1)
        ask('/mcp', rpc('get_product', { product_id: 10_001 }));
      expectOnline();
      const plain = machine.run(
        'curl -s -o /dev/null -w "%{redirect_url}" http://vitrine.example/docs',
      );
      expect(plain).toBe(`${EDGE}/docs`);
      expect(machine.run('stat -c "%U %a" /etc/vitrine/vitrine.env')).toBe('root 640\n');
      expect(machine.run('find /var/lib/vitrine ! -user vitrine')).toBe('');
      const main = 'systemctl show --property MainPID --value vitrine-jobs vitrine-serve@4321';
      const users = machine.run(`for pid in $(${main}); do stat -c %U /proc/$pid; done`);
      expect(users).toBe('vitrine\nvitrine\n');
    });

    it('is backed up', () => {
      const [backUp = ''] = blocksOf('Back up and restore');
      follow(backUp, '/root');
      expect(machine.run('pg_restore --list mall.dump | grep -c "TABLE DATA"')).toMatch(/^\d\d/);
    });

    it('is upgraded from the commit before, and nobody notices', { timeout: 600_000 }, () => {
      machine.run(`
      echo OPS_PORT=9122 > /etc/vitrine/serve-4322.env
      systemctl enable --now vitrine-serve@4322
      sed -i 's/^\\( *server 127.0.0.1:\\)4321\\(.*\\)/&\\n\\14322\\2/' /etc/nginx/conf.d/vitrine.conf
      nginx -t && systemctl reload nginx`);
      expect(isReady(9122)).toBe(READY);
      const asked = `curl -s -o /dev/null -w "%{http_code}\\n" --cacert ${CERTIFICATE} ${EDGE}`;
      machine.run(`cat > ask.sh <<'END'
while sleep 0.2; do
  ${asked}/products/10001
  ${asked}/api/public/v1/products/$((10001 + n++ % 20))/stats
done
END
      systemd-run --quiet --unit=asking -p StandardOutput=file:/root/asked bash /root/ask.sh`);
      const [upgrade = ''] = blocksOf('Upgrade, restart');
      follow(upgrade, '/opt/vitrine');
      machine.run('systemctl stop asking');
      expect(machine.run('sort asked | uniq -c')).toMatch(/^ *\d{2,} 200\n$/);
      expect(machine.run('git -C /opt/vitrine rev-parse HEAD').trim()).toBe(version);
      expect([isReady(9121), isReady(9122)]).toEqual([READY, READY]);
      expectOnline();
    });

    it('is restored', () => {
      const [, same = '', , then = ''] = blocksOf('Back up and restore');
      machine.run(
        'runuser -u postgres -- psql -qd mall -c "truncate product, offer, view_event cascade"',
      );
      follow(same, '/root');
      follow(then, '/root');
      expect([isReady(9121), isReady(9122)]).toEqual([READY, READY]);
      expectOnline();
    });

    it('is restored on another cluster and an empty data directory', () => {
      const [, , other = '', then = ''] = blocksOf('Back up and restore');
      machine.run(`
      pg_dropcluster --stop 15 main && rm -r /var/lib/vitrine/releases
      pg_createcluster 15 other --port 5432 -- --auth-local=peer && systemctl start postgresql@15-other`);
      follow(other, '/root');
      follow(then, '/root');
      expect([isReady(9121), isReady(9122)]).toEqual([READY, READY]);
      expectOnline();
      expect(machine.run('find /var/lib/vitrine ! -user vitrine')).toBe('');
    });
  },
);
