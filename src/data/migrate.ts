import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Sql } from './connection/client.ts';

const FOLDER = new URL('./migrations/', import.meta.url);
const MIGRATION_LOCK = 726_114_001;

/** Applies the migrations that the database lacks, each in a transaction; returns their names. */
export async function migrate(sql: Sql): Promise<string[]> {
  const connection = await sql.reserve();
  try {
    // A session lock: of several instances that start together one migrates and the others wait.
    await connection`select pg_advisory_lock(${MIGRATION_LOCK}::bigint)`;
    await connection`
      create table if not exists schema_migration (
        name text primary key,
        sha256 text not null,
        applied_at timestamptz not null default now()
      )`;
    const rows = await connection<{ name: string; sha256: string }[]>`
      select name, sha256 from schema_migration`;
    const applied = new Map(rows.map((row) => [row.name, row.sha256]));
    const added: string[] = [];
    for (const { name, text, sha256 } of readMigrations()) {
      const known = applied.get(name);
      if (known === sha256) continue;
      if (known !== undefined) throw new Error(`migration ${name} was edited after it was applied`);
      try {
        await connection`begin`;
        await connection.unsafe(text).simple();
        await connection`insert into schema_migration (name, sha256) values (${name}, ${sha256})`;
        await connection`commit`;
      } catch (error) {
        await connection`rollback`;
        throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error });
      }
      added.push(name);
    }
    return added;
  } finally {
    await connection`select pg_advisory_unlock(${MIGRATION_LOCK}::bigint)`.catch(() => {});
    connection.release();
  }
}

function readMigrations() {
  return readdirSync(FOLDER)
    .filter((name) => /^\d{4}_.*\.sql$/.test(name))
    .sort()
    .map((name) => {
      const text = readFileSync(new URL(name, FOLDER), 'utf8').replaceAll('\r\n', '\n');
      return { name, text, sha256: createHash('sha256').update(text).digest('hex') };
    });
}
