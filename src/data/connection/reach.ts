import { inTime } from '../../domain/in-time.ts';
import { describeAddress, readAddress } from './address.ts';
import { openDatabase, ping } from './client.ts';

const PATIENCE_MS = 15_000;

/** Resolves when the database answers; otherwise throws a message for the operator, without secrets. */
export async function reachDatabase(url: string): Promise<void> {
  const sql = openDatabase(url, { max: 1 });
  // Without this deadline dropped packets would hang for ever.
  const silence = () =>
    Object.assign(new Error(`no answer within ${PATIENCE_MS / 1000} s`), { code: 'ETIMEDOUT' });
  try {
    await inTime(ping(sql), PATIENCE_MS, silence);
  } catch (error) {
    throw new Error(describeFault(url, error as Error), { cause: error });
  } finally {
    void sql.end({ timeout: 0 });
  }
}

/** Error codes of the socket, and of connections that timed out. */
const NO_ANSWER =
  /^(ECONN|EHOST|ENET|ETIMEDOUT|ENOTFOUND|EAI_|ENOENT|EACCES|CONNECT_TIMEOUT|CONNECTION_)/;

function describeFault(url: string, error: Error): string {
  const address = readAddress(url);
  const where = `the database at ${describeAddress(address)} (DATABASE_URL)`;
  const { code = '' } = error as NodeJS.ErrnoException;
  // Postgres itself answered: a wrong password, an unknown user or database, no entry in pg_hba.conf.
  if ('severity' in error) return `${where} refuses: ${error.message}`;
  if (NO_ANSWER.test(code)) return `${where} does not answer: ${error.message}`;
  if (address.ssl === false) return `${where} cannot be used: ${error.message}`;
  return `${where} cannot be used over TLS: ${error.message} (sslmode and sslrootcert say what is trusted)`;
}
