import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig, SETTINGS } from '../../src/config.ts';
import { SECRETS } from '../../src/secrets.ts';

const FOLDER = 'scripts/deploy';
const read = (name: string) => parse(readFileSync(join(FOLDER, name), 'utf8'), { merge: true });
/** What the image sets. */
const IMAGE = ['OPS_PORT', 'DATA_DIR', 'HOST', 'PORT'];

/** Holds an environment to the settings that there are; the files of secrets are not here. */
function expectSettings(environment: Record<string, string>): void {
  const names = Object.keys(environment).map((name) =>
    SECRETS.includes(name.replace(/_FILE$/, '')) ? name.replace(/_FILE$/, '') : name,
  );
  expect(names.filter((name) => !SETTINGS.includes(name))).toEqual([]);
  const own = Object.entries(environment).filter(([name]) => !name.endsWith('_FILE'));
  const url = { DATABASE_URL: 'postgres://vitrine@postgres/mall' };
  expect(() => readConfig({ ...url, ...Object.fromEntries(own) })).not.toThrow();
}

/** No password in what is not a file. */
const expectNoSecret = (text: string) =>
  expect(text.replace(/^#.*$/gm, '')).not.toMatch(/:\/\/[^/\s]*:[^/\s]*@/);

const isThere = ([program, script = '']: string[]) =>
  program === 'node' && existsSync(script) && script.startsWith('scripts/');

describe('compose.yaml', () => {
  const compose = read('compose.yaml');
  type Service = {
    image: string;
    build: { context: string; dockerfile: string };
    command?: string[];
    environment: Record<string, string>;
    networks: string[] | Record<string, unknown>;
    volumes?: string[];
    secrets?: (string | { source: string })[];
    depends_on?: Record<string, unknown>;
  };
  const services = Object.entries<Service>(compose.services);
  const ours = services.filter(([, { image }]) => image === 'vitrine').map(([, one]) => one);

  it('has server, jobs, migration, Postgres, Valkey and nginx, each of a named version', () => {
    expect(services.map(([name]) => name).sort()).toEqual(
      ['edge', 'jobs', 'migrate', 'postgres', 'serve', 'valkey'].sort(),
    );
    for (const [, { image }] of services) {
      if (image !== 'vitrine') expect(image).toMatch(/^[a-z/]+:\d+(\.\d+)?-bookworm$/);
    }
  });

  it('runs commands that are there, with settings that there are, and secrets from files', () => {
    expect(ours).toHaveLength(3);
    for (const { command, environment, build } of ours) {
      if (command !== undefined) expect(isThere(command)).toBe(true);
      expectSettings(environment);
      expect(existsSync(join(FOLDER, build.context, build.dockerfile))).toBe(true);
    }
    expectNoSecret(readFileSync(join(FOLDER, 'compose.yaml'), 'utf8'));
  });

  it('names nothing that it does not declare, and declares nothing for nobody', () => {
    const used = { volumes: new Set<string>(), secrets: new Set<string>(), networks: new Set() };
    for (const [, service] of services) {
      for (const secret of service.secrets ?? [])
        used.secrets.add(typeof secret === 'string' ? secret : secret.source);
      for (const volume of service.volumes ?? []) {
        const [source = ''] = volume.split(':');
        if (source.startsWith('.')) expect(existsSync(join(FOLDER, source))).toBe(true);
        else used.volumes.add(source);
      }
      const { networks } = service;
      for (const name of Array.isArray(networks) ? networks : Object.keys(networks))
        used.networks.add(name);
      for (const name of Object.keys(service.depends_on ?? {}))
        expect(Object.keys(compose.services)).toContain(name);
    }
    for (const kind of ['volumes', 'secrets', 'networks'] as const)
      expect([...used[kind]].sort()).toEqual(Object.keys(compose[kind]).sort());
  });

  it('puts nginx.conf in front of the server, which trusts it', () => {
    const { serve, edge } = compose.services;
    const address = serve.networks.inside.ipv4_address;
    const [, from, to] = /s\/(.*?)\/(.*?)\//.exec(edge.command[2]) ?? [];
    expect(readFileSync(join(FOLDER, 'nginx.conf'), 'utf8')).toContain(`server ${from} `);
    expect(to).toBe(`${address}:4321`);
    expect(serve.environment.TRUSTED_PROXIES).toBe(compose.networks.inside.ipam.config[0].subnet);
  });
});

describe('kubernetes.yaml', () => {
  type Item = { kind: string; metadata: { namespace: string }; spec: unknown; data: unknown };
  const items: Item[] = read('kubernetes.yaml').items;
  const of = (kind: string) => items.filter((item) => item.kind === kind);
  const pods = [...of('Job'), ...of('Deployment')].map(({ spec }) => spec as Workload);
  type Container = {
    command: string[];
    ports?: { name: string }[];
    readinessProbe?: { httpGet: { port: string } };
    volumeMounts: { name: string; mountPath: string }[];
    securityContext: object;
    resources: { limits: object; requests: object };
  };
  type Workload = {
    selector?: { matchLabels: object };
    template: {
      metadata?: { labels: object };
      spec: { containers: [Container]; volumes: { name: string }[]; securityContext: object };
    };
  };

  it('has a migration, servers, jobs, their settings, room, address and door', () => {
    const kinds = items.map(({ kind }) => kind).sort();
    expect(kinds).toEqual(
      ['ConfigMap', 'Deployment', 'Deployment', 'Ingress', 'Job', 'PersistentVolumeClaim']
        .concat(['PodDisruptionBudget', 'Service'])
        .sort(),
    );
    expect(new Set(items.map(({ metadata }) => metadata.namespace)).size).toBe(1);
  });

  it('runs commands that are there, with settings that there are, and secrets from files', () => {
    for (const { template } of pods) {
      const [{ command, volumeMounts }] = template.spec.containers;
      expect(isThere(command)).toBe(true);
      const mounted = volumeMounts.map(({ name }) => name).sort();
      expect(mounted).toEqual(template.spec.volumes.map(({ name }) => name).sort());
    }
    const [settings] = of('ConfigMap');
    const data = settings?.data as Record<string, string>;
    expectSettings(data);
    expect(Object.keys(data).filter((name) => IMAGE.includes(name))).toEqual([]);
    const volumeMounts = pods[0]?.template.spec.containers[0].volumeMounts ?? [];
    for (const [name, file] of Object.entries(data).filter(([key]) => key.endsWith('_FILE')))
      expect([
        name,
        volumeMounts.some(({ mountPath }) => file.startsWith(`${mountPath}/`)),
      ]).toEqual([name, true]);
    expectNoSecret(readFileSync(join(FOLDER, 'kubernetes.yaml'), 'utf8'));
  });

  it('gives every container bounds, and no more rights than it needs', () => {
    for (const { selector, template } of pods) {
      const { containers, securityContext } = template.spec;
      expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
      expect(containers[0].securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
      });
      expect(containers[0].resources.limits).toHaveProperty('memory');
      if (selector !== undefined) expect(template.metadata?.labels).toEqual(selector.matchLabels);
    }
  });

  it('asks /livez and /readyz on the port of the operator, and publishes the other one', () => {
    const [service] = of('Service');
    const { selector, ports } = (service?.spec ?? {}) as {
      selector: object;
      ports: { targetPort: string }[];
    };
    const [serve] = pods.filter(({ template }) => template.spec.containers[0].readinessProbe);
    expect(serve?.template.metadata?.labels).toEqual(selector);
    expect(ports.map(({ targetPort }) => targetPort)).toEqual(['http']);
    const [container] = serve?.template.spec.containers ?? [];
    expect(container?.readinessProbe?.httpGet.port).toBe('ops');
    expect(container?.ports?.map(({ name }) => name)).toEqual(['http', 'ops']);
  });
});
