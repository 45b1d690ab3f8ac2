import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Sql } from './connection/client.ts';

const FOLDER = new URL('./migrations/', import.meta.url);
const MIGRATION_LOCK = 726_114_001;

/** The schema of a database beside the migrations of this program. */
export type Schema = {
  /** Migrations that the database lacks. */
  missing: string[];
  /** Migrations of a newer program. */
  unknown: string[];
};

/** Migrations that change what the program before calls say so in their name; on all others it runs as well. */
const isBreaking = (name: string) => name.endsWith('.breaking.sql');

/** Reads which migrations a database has. */
export async function readSchema(sql: Sql): Promise<Schema> {
  const known = readMigrations();
  const applied = await readApplied(sql);
  return {
    missing: known.map(({ name }) => name).filter((name) => !applied.has(name)),
    unknown: [...applied.keys()].filter((name) => known.every((own) => own.name !== name)).sort(),
  };
}

/** Why this program cannot serve from a schema, in words for the operator; null when it can. */
export function schemaFault({ missing, unknown }: Schema): string | null {
  const breaking = unknown.filter(isBreaking);
  if (breaking.length > 0) {
    return (
      `the schema is newer than this program, which does not run on it: ${breaking.join(', ')}. Run the program ` +
      'that brought it or a later one, or restore a backup from before it'
    );
  }
  return missing.length === 0 ? null : `the schema lacks ${missing.join(', ')}: run db:migrate`;
}

/** Throws unless this program may change the schema of a database: a newer one is left to its own program. */
export async function assertMigratable(sql: Sql): Promise<void> {
  const schema = await readSchema(sql);
  const { unknown, missing } = schema;
  if (unknown.length === 0) return;
  if (unknown.some(isBreaking)) throw new Error(schemaFault(schema) ?? '');
  const rollback =
    missing.length === 0
      ? 'nothing has to be: this program runs on it as it is, and going back to it is safe'
      : `and this program needs ${missing.join(', ')}: run the program that has all of them`;
  throw new Error(
    `the schema is newer than this program, which does not know ${unknown.join(', ')}. ` +
      `Nothing was migrated, ${rollback}`,
  );
}

/** Applies the migrations that the database lacks, each in a transaction; returns their names. */
export async function migrate(sql: Sql): Promise<string[]> {
  const schema = await readSchema(sql);
  if (schema.unknown.length > 0 && (schema.missing.length > 0 || schemaFault(schema) !== null)) {
    await assertMigratable(sql);
  }
  const connection = await sql.reserve();
  try {
    // A role that only uses the schema may not create anything.
    if (schema.missing.length > 0) await prepare(connection);
    const applied = await readApplied(connection);
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
    await connection`select pg_advisory_unlock_all()`.catch(() => {});
    connection.release();
  }
}

async function prepare(connection: Sql): Promise<void> {
  // A session lock: of several instances that start together one migrates and the others wait.
  await connection`select pg_advisory_lock(${MIGRATION_LOCK}::bigint)`;
  await connection`
    create table if not exists schema_migration (
      name text primary key,
      sha256 text not null,
      applied_at timestamptz not null default now()
    )`;
}

/** The digests of the migrations that were applied, by their names. */
async function readApplied(sql: Sql): Promise<Map<string, string>> {
  const [table] = await sql<{ exists: boolean }[]>`
    select to_regclass('schema_migration') is not null as exists`;
  if (!table?.exists) return new Map();
  const rows = await sql<{ name: string; sha256: string }[]>`
    select name, sha256 from schema_migration`;
  return new Map(rows.map((row) => [row.name, row.sha256]));
}

/** The last migration of this program, by the number in its name. */
export const newestMigration = (): string => readMigrations().at(-1)?.name.slice(0, 4) ?? '';

type Migration = { name: string; text: string; sha256: string };
let migrations: Migration[] | undefined;

function readMigrations(): Migration[] {
  migrations ??= readdirSync(FOLDER)
    .filter((name) => /^\d{4}_.*\.sql$/.test(name))
    .sort()
    .map((name) => {
      const text = readFileSync(new URL(name, FOLDER), 'utf8').replaceAll('\r\n', '\n');
      return { name, text, sha256: createHash('sha256').update(text).digest('hex') };
    });
  return migrations;
}
