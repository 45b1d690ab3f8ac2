import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { readClock, type Sql } from '../data/connection/client.ts';
import { inTime } from '../domain/in-time.ts';
import type { Metrics } from '../metrics.ts';

const PATIENCE_MS = 3000;
const tooLate = () => new Error('no answer in time');

/** Watches whether the database answers, and how far this clock is from its clock: one query per scrape. */
export function watchDatabase(
  metrics: Metrics,
  run: <T>(work: (sql: Sql) => PromiseLike<T>) => PromiseLike<T>,
): void {
  let underWay: Promise<number | null> | null = null;
  const look = (): Promise<number | null> => {
    const from = Date.now();
    underWay ??= inTime(run(readClock), PATIENCE_MS, tooLate)
      // The middle of the round trip: latency is no offset.
      .then((now) => (from + Date.now()) / 2000 - now)
      .catch(() => null)
      .finally(() => {
        underWay = null;
      });
    return underWay;
  };
  metrics.watch('vitrine_database_away', 'The database is away (1) or not (0)', async () =>
    (await look()) === null ? 1 : 0,
  );
  metrics.watch('vitrine_clock_offset_seconds', 'This clock less that of the database', look);
}

const CERTIFICATE_READ_EVERY_MS = 3_600_000;

/** Watches how long the certificate at BASE_URL is still valid; shows nothing where there is none, or nobody answers. */
export function watchCertificate(metrics: Metrics, baseUrl: string): void {
  const { protocol, hostname, port } = new URL(baseUrl);
  if (protocol !== 'https:') return;
  let read: { endsAt: number; at: number } | null = null;
  metrics.watch('vitrine_certificate_seconds', 'Until the certificate ends', async () => {
    if (read === null || Date.now() - read.at > CERTIFICATE_READ_EVERY_MS) {
      const endsAt = await readCertificateEnd(hostname, Number(port) || 443).catch(() => null);
      read = endsAt === null ? null : { endsAt, at: Date.now() };
    }
    return read === null ? null : (read.endsAt - Date.now()) / 1000;
  });
}

async function readCertificateEnd(host: string, port: number): Promise<number> {
  const servername = isIP(host) === 0 ? host : '';
  // Who signed it is for clients to judge; here only its end is read.
  const socket = connect({ host, port, servername, rejectUnauthorized: false });
  const end = new Promise<number>((done, fail) => {
    socket.once('secureConnect', () => done(Date.parse(socket.getPeerCertificate().valid_to)));
    socket.once('error', fail);
  });
  try {
    return await inTime(end, PATIENCE_MS, tooLate);
  } finally {
    socket.destroy();
  }
}
