import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { type ConnectionOptions, checkServerIdentity } from 'node:tls';

/** The address of a Postgres as options of postgres.js. */
export type Address = {
  host?: string[];
  port?: number[];
  /** The path of a Unix socket. */
  path?: string;
  user?: string;
  password?: string;
  database?: string;
  ssl: ConnectionOptions | 'require' | 'prefer' | false;
  /** Session settings from the URL. */
  connection: Record<string, string>;
};

/** An invalid database URL; the message follows the setting's name and never contains the URL. */
export class AddressError extends Error {}

/** The message for anything that is not a Postgres URL. */
export const NOT_POSTGRES = 'must be a postgres:// URL';

const SHAPE =
  /^postgres(?:ql)?:\/\/(?:(?<login>[^@/?]*)@)?(?<hosts>[^@/?]*)(?:\/(?<database>[^/?]*))?(?:\?(?<query>.*))?$/;
const DEFAULT_PORT = 5432;
/** Parameters of libpq that are not session settings and have no effect here. */
const IGNORED = ['channel_binding', 'connect_timeout', 'gssencmode', 'sslnegotiation'];

/**
 * Parses a database URL like libpq. postgres.js itself rejects `user@/mall?host=/var/run/postgresql` and IPv6
 * hosts, and sends `sslrootcert` to the server instead of reading the file.
 */
export function readAddress(url: string): Address {
  const { login, hosts = '', database, query = '' } = SHAPE.exec(url)?.groups ?? {};
  if (!SHAPE.test(url)) throw new AddressError(NOT_POSTGRES);
  const given = Object.fromEntries(new URLSearchParams(query.replaceAll('+', '%2B')));
  for (const name of IGNORED) delete given[name];
  const take = (name: string) => {
    const value = given[name];
    delete given[name];
    return value || undefined;
  };
  const [user, password] = splitOnce(login ?? '', ':').map(decode);
  const servers = readHosts(take('host') ?? hosts, take('port'));
  const [first] = servers;
  const folder = first?.host.startsWith('/') ? first.host : undefined;
  const address = {
    ...(folder !== undefined && { path: `${folder}/.s.PGSQL.${first?.port}` }),
    ...(folder === undefined &&
      first !== undefined && {
        host: servers.map(({ host }) => host),
        port: servers.map(({ port }) => port),
      }),
    user: take('user') ?? (user || undefined),
    password: take('password') ?? (password || undefined),
    database: take('dbname') ?? (decode(database ?? '') || undefined),
  };
  const tls = take('ssl') === 'true' ? 'require' : undefined;
  const ssl = readTls(take('sslmode') ?? tls, {
    ca: take('sslrootcert'),
    cert: take('sslcert'),
    key: take('sslkey'),
    host: servers.length === 1 ? first?.host : undefined,
  });
  const kept = Object.entries(address).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(kept), ssl, connection: given };
}

/** Names a server in messages: host and port, or the path of its socket. */
export function describeAddress({ host = ['localhost'], port, path }: Address): string {
  if (path !== undefined) return path;
  return host
    .map((one, index) => {
      const shown = one.includes(':') ? `[${one}]` : one;
      return `${shown}:${port?.[index] ?? DEFAULT_PORT}`;
    })
    .join(',');
}

function readHosts(text: string, ports: string | undefined): { host: string; port: number }[] {
  const hosts = text.split(',').map((one) => /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(one));
  const given = ports?.split(',') ?? [];
  if (text === '' && given.length === 0) return [];
  return hosts.map((match, index) => {
    if (match === null) throw new AddressError('has an invalid host');
    const [, name = '', own] = match;
    const host = decode(name).replace(/^\[|\]$/g, '') || 'localhost';
    const port = Number(own || given[index] || given[0] || DEFAULT_PORT);
    if (!Number.isInteger(port) || port < 1 || port > 65_535) {
      throw new AddressError('has a port that is no number within 1..65535');
    }
    return { host, port };
  });
}

type TlsFiles = { ca?: string; cert?: string; key?: string; host?: string };

/** Like libpq: with a root certificate, `require` means `verify-ca`. */
function readTls(mode: string | undefined, files: TlsFiles): Address['ssl'] {
  const { ca, host } = files;
  // A root certificate without sslmode asks for full verification.
  const verified = mode === 'verify-full' || mode === undefined;
  if (mode === 'disable' || (mode === undefined && ca === undefined)) return false;
  if (mode === 'prefer' || mode === 'allow') return 'prefer';
  if (mode !== undefined && !['require', 'verify-ca', 'verify-full'].includes(mode)) {
    throw new AddressError(`has the sslmode ${mode}, which libpq does not know`);
  }
  if (mode === 'require' && ca === undefined && files.cert === undefined) return 'require';
  return {
    ...(ca !== undefined && ca !== 'system' && { ca: readPem('sslrootcert', ca) }),
    ...(files.cert !== undefined && { cert: readPem('sslcert', files.cert) }),
    ...(files.key !== undefined && { key: readPem('sslkey', files.key) }),
    rejectUnauthorized: mode !== 'require' || ca !== undefined,
    checkServerIdentity: (name, certificate) => {
      if (!verified) return undefined;
      // postgres.js passes no server name for an IP address.
      return checkServerIdentity(host !== undefined && isIP(host) ? host : name, certificate);
    },
  };
}

function readPem(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new AddressError(
      `has ${name}=${file}, which cannot be read (${(error as NodeJS.ErrnoException).code})`,
    );
  }
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new AddressError('has a % that encodes nothing');
  }
}
