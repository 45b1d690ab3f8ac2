import { inTime } from '../../domain/in-time.ts';
import { describeAddress, readAddress } from './address.ts';
import { openDatabase, ping } from './client.ts';

const PATIENCE_MS = 15_000;

/** Resolves when a database answers; else throws what to look at, in words for the operator and without secrets. */
export async function reachDatabase(url: string): Promise<void> {
  const sql = openDatabase(url, { max: 1 });
  // Where packets vanish, nobody else would say so.
  const silence = () =>
    Object.assign(new Error(`nothing is heard from it for ${PATIENCE_MS / 1000} s`), {
      code: 'ETIMEDOUT',
    });
  try {
    await inTime(ping(sql), PATIENCE_MS, silence);
  } catch (error) {
    throw new Error(describeFault(url, error as Error), { cause: error });
  } finally {
    void sql.end({ timeout: 0 });
  }
}

/** Of the socket, or of a connection that did not come about in time. */
const NO_ANSWER =
  /^(ECONN|EHOST|ENET|ETIMEDOUT|ENOTFOUND|EAI_|ENOENT|EACCES|CONNECT_TIMEOUT|CONNECTION_)/;

function describeFault(url: string, error: Error): string {
  const address = readAddress(url);
  const where = `the database at ${describeAddress(address)} (DATABASE_URL)`;
  const { code = '' } = error as NodeJS.ErrnoException;
  // Postgres itself answers: a wrong password, an unknown user or database, no line in pg_hba.conf.
  if ('severity' in error) return `${where} refuses: ${error.message}`;
  if (NO_ANSWER.test(code)) return `${where} does not answer: ${error.message}`;
  if (address.ssl === false) return `${where} cannot be used: ${error.message}`;
  return `${where} cannot be used over TLS: ${error.message} (sslmode and sslrootcert say what is trusted)`;
}
