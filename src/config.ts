import { readFileSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { type AddressError, NOT_POSTGRES, readAddress } from './data/connection/address.ts';
import { type GazetteerEntry, GazetteerError, parseGazetteer } from './domain/gazetteer.ts';
import { describeSetting, readSecrets } from './secrets.ts';

/** One entry of CLIENT_QUOTAS: clients of `network` get the default quotas times `multiplier`. */
export type ClientQuota = { network: BlockList; family: 'ipv4' | 'ipv6'; multiplier: number };

/** The validated environment; docs/operate.md lists the variables. */
export type Config = Readonly<{
  host: string;
  port: number;
  baseUrl: string;
  databaseUrl: string | null;
  /** One URL per replica. */
  databaseReadUrls: readonly string[];
  dataDir: string;
  serviceName: string;
  defaultCity: string;
  productUrlTemplate: string | null;
  /** The places of the operator's GAZETTEER_FILE. */
  gazetteer: readonly GazetteerEntry[];
  trustedProxies: readonly string[];
  allowedHosts: readonly string[];
  rateLimitStore: string;
  quotas: Readonly<{
    productStatsPerHour: number;
    merchantStatsPerHour: number;
    catalogRecordsPerMinute: number;
    mcpPerMinute: number;
    searchPagesPerMinute: number;
  }>;
  clientQuotas: readonly ClientQuota[];
  publishCheckSeconds: number;
  opsHost: string;
  opsPort: number | null;
  logLevel: string;
  accessLog: boolean;
}>;

/** An invalid environment; the message lists all faults, one per line. */
export class ConfigError extends Error {}

const port = z.coerce.number('must be a port number').int().min(0).max(65_535);
const count = z.coerce.number('must be a whole number').int().min(1).max(1_000_000_000);
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });

const databaseUrl = z.string().superRefine((url, context) => {
  try {
    readAddress(url);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as AddressError).message });
  }
});

const fields = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(4321),
  BASE_URL: httpUrl
    .refine((url) => /^[^/]*\/\/[^/?#]*\/*$/.test(url), 'must have no path, query or fragment')
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_READ_URL: z.string().default('').transform(parseReadUrls),
  DATA_DIR: z.string().default('.data'),
  SERVICE_NAME: z.string().trim().min(1).max(60).default('Vitrine'),
  DEFAULT_CITY: z.string().trim().min(1).max(100).default('São Paulo'),
  PRODUCT_URL_TEMPLATE: httpUrl
    .refine((url) => url.includes('{id}'), 'must contain {id}')
    .optional(),
  GAZETTEER_FILE: z.string().transform(readGazetteer).default([]),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform(splitList)
    .refine(
      (list) => list.every((entry) => parseNetwork(entry) !== null),
      'must be a comma list of addresses or CIDRs',
    ),
  ALLOWED_HOSTS: z.string().transform(splitList).optional(),
  RATE_LIMIT_STORE: z
    .string()
    .refine(
      (store) => store === 'memory' || /^rediss?:\/\/[^\s/]+/.test(store),
      'must be memory or a redis:// URL',
    )
    .default('memory'),
  PRODUCT_STATS_REQUESTS_PER_HOUR: count.default(600),
  MERCHANT_STATS_REQUESTS_PER_HOUR: count.default(600),
  CATALOG_RECORDS_PER_MINUTE: count.default(40),
  MCP_REQUESTS_PER_MINUTE: count.default(120),
  SEARCH_PAGES_PER_MINUTE: count.default(30),
  CLIENT_QUOTAS: z.string().default('{}').transform(parseClientQuotas),
  PUBLISH_CHECK_SECONDS: z.coerce.number('must be a number of seconds').int().min(1).default(30),
  OPS_HOST: z.string().default('127.0.0.1'),
  OPS_PORT: port.optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  ACCESS_LOG: z.enum(['on', 'off']).default('off'),
});

/** The names of all settings. */
export const SETTINGS: string[] = Object.keys(fields.shape);

/** Replicas need a primary. */
const environment = fields.refine(
  (given) => given.DATABASE_URL !== undefined || given.DATABASE_READ_URL.length === 0,
  {
    path: ['DATABASE_READ_URL'],
    message: 'needs DATABASE_URL, the primary of these replicas',
  },
);

/** Reads and validates the configuration, including secret files. Throws ConfigError. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const { given, faults } = readSecrets(env);
  const parsed = environment.safeParse(given);
  for (const { path, message } of parsed.error?.issues ?? []) {
    const name = String(path[0]);
    faults.push(`${describeSetting(name, given[name])}: ${message}`);
  }
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults.join('\n'));
  const value = parsed.data;
  const baseUrl = value.BASE_URL ?? `http://localhost:${value.PORT}`;
  return Object.freeze({
    host: value.HOST,
    port: value.PORT,
    baseUrl,
    databaseUrl: value.DATABASE_URL ?? null,
    databaseReadUrls: value.DATABASE_READ_URL,
    dataDir: resolve(value.DATA_DIR),
    serviceName: value.SERVICE_NAME,
    defaultCity: value.DEFAULT_CITY,
    productUrlTemplate: value.PRODUCT_URL_TEMPLATE ?? null,
    gazetteer: value.GAZETTEER_FILE,
    trustedProxies: value.TRUSTED_PROXIES,
    allowedHosts: value.ALLOWED_HOSTS ?? defaultHosts(baseUrl),
    rateLimitStore: value.RATE_LIMIT_STORE,
    quotas: {
      productStatsPerHour: value.PRODUCT_STATS_REQUESTS_PER_HOUR,
      merchantStatsPerHour: value.MERCHANT_STATS_REQUESTS_PER_HOUR,
      catalogRecordsPerMinute: value.CATALOG_RECORDS_PER_MINUTE,
      mcpPerMinute: value.MCP_REQUESTS_PER_MINUTE,
      searchPagesPerMinute: value.SEARCH_PAGES_PER_MINUTE,
    },
    clientQuotas: value.CLIENT_QUOTAS,
    publishCheckSeconds: value.PUBLISH_CHECK_SECONDS,
    opsHost: value.OPS_HOST,
    opsPort: value.OPS_PORT ?? null,
    logLevel: value.LOG_LEVEL,
    accessLog: value.ACCESS_LOG === 'on',
  });
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

function readGazetteer(file: string, context: z.RefinementCtx): GazetteerEntry[] {
  try {
    return parseGazetteer(readFileSync(resolve(file), 'utf8'));
  } catch (error) {
    const fault =
      error instanceof GazetteerError
        ? error.message
        : `cannot be read (${(error as NodeJS.ErrnoException).code})`;
    context.addIssue({ code: 'custom', message: fault });
    return z.NEVER;
  }
}

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** A host without a port matches any port. */
function defaultHosts(baseUrl: string): string[] {
  const { host, hostname } = new URL(baseUrl);
  return LOCAL_HOSTS.includes(hostname) ? [host, ...LOCAL_HOSTS] : [host];
}

/** Splits postgres://user@host1:5432,host2/name into one URL per host, as libpq and postgres.js read it. */
function parseReadUrls(text: string, context: z.RefinementCtx): string[] {
  if (text === '') return [];
  const [, scheme = '', user = '', hosts = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/)([^@/?]*@)?([^@/?]+)([/?].*)?$/.exec(text) ?? [];
  const urls = hosts
    .split(',')
    .map((host) => (host === '' ? '' : `${scheme}${user}${host}${rest}`));
  const faults = urls.flatMap((url) => databaseUrl.safeParse(url).error?.issues ?? []);
  const [fault] = faults;
  if (fault === undefined && urls.length > 0) return urls;
  const isShape = fault === undefined || fault.message === NOT_POSTGRES;
  const message = isShape ? `${NOT_POSTGRES}, its hosts separated by commas` : fault.message;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}

/** Parses an address or CIDR; IPv6 prefixes longer than `ipv6Bits` are shortened to it. */
function parseNetwork(text: string, ipv6Bits = 128): BlockList | null {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return null;
  const widest = family === 4 ? 32 : 128;
  const bits = prefix === undefined ? widest : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1;
  if (bits < 0 || bits > widest) return null;
  const network = new BlockList();
  if (family === 4) network.addSubnet(address, bits, 'ipv4');
  else network.addSubnet(address, Math.min(bits, ipv6Bits), 'ipv6');
  return network;
}

/** IPv6 clients are counted per /64, so any address in it stands for the whole. */
const COUNTED_IPV6_BITS = 64;

function parseClientQuotas(text: string, context: z.RefinementCtx): ClientQuota[] {
  const refuse = (message: string) => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse('must be JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse('must be a JSON object: CIDR -> multiplier');
  }
  const quotas: ClientQuota[] = [];
  for (const [cidr, multiplier] of Object.entries(value)) {
    const network = parseNetwork(cidr, COUNTED_IPV6_BITS);
    if (network === null) return refuse(`${cidr} is neither an address nor a CIDR`);
    if (typeof multiplier !== 'number' || !(multiplier > 0) || multiplier > 1_000_000) {
      return refuse(`the multiplier of ${cidr} must be a number above 0`);
    }
    // The family is kept because an IPv6 BlockList would match IPv4 addresses against ::/64.
    const family = cidr.includes(':') ? 'ipv6' : 'ipv4';
    quotas.push({ network, family, multiplier });
  }
  return quotas;
}
