import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Sql } from './connection/client.ts';

const FOLDER = new URL('./migrations/', import.meta.url);
const MIGRATION_LOCK = 726_114_001;

/**
 * Earlier migrations that the current numbered ones replace. A database with all of them already has the same
 * tables; one with only some must first be upgraded by the last version that had them.
 */
const REPLACED = [
  '0001_catalog.sql',
  '0002_activity.sql',
  '0003_views.sql',
  '0004_rate_limit.sql',
  '0005_search.sql',
  '0006_sample.sql',
  '0008_sliding_window.sql',
  '0009_finer_map.sql',
  '0010_removals.sql',
  '0011_partition_race.sql',
  '0012_relevance.sql',
  '0013_search_best.sql',
  '0014_changes.sql',
  '0015_tolerant_views.sql',
  '0016_versions.sql',
  '0017_no_quotas.sql',
  '0019_roles.sql',
];
const REPLACEMENTS = [
  '0020_catalog.sql',
  '0021_activity.sql',
  '0022_search.sql',
  '0023_changes.sql',
];

/** A database's schema compared with the migrations of this program. */
export type Schema = {
  /** Migrations that the database lacks. */
  missing: string[];
  /** Migrations of a newer program. */
  unknown: string[];
  /** If only some replaced migrations were applied: the rest. */
  halfway: string[];
};

/** A migration that breaks the previous program says so in its name; that program runs on all others. */
const isBreaking = (name: string) => name.endsWith('.breaking.sql');

/** Compares a database's migrations with this program's. */
export async function readSchema(sql: Sql): Promise<Schema> {
  return compare(await readApplied(sql));
}

function compare(applied: Applied): Schema {
  const known = readMigrations();
  const isNewer = (name: string) => {
    const [file, revision] = name.split('@');
    if (revision === undefined) {
      return !REPLACED.includes(name) && known.every((own) => own.name !== name);
    }
    // A file of functions that this program does not have may also be an old one, dropped since.
    return known.some((own) => own.file === file && own.revision < Number(revision));
  };
  const halfway = REPLACED.filter((name) => !applied.has(name));
  return {
    missing: known.map(({ name }) => name).filter((name) => !applied.has(name)),
    unknown: [...applied.keys()].filter(isNewer).sort(),
    halfway: halfway.length < REPLACED.length ? halfway : [],
  };
}

/** Returns why this program cannot serve from a schema, for the operator; null when it can. */
export function schemaFault({ missing, unknown, halfway }: Schema): string | null {
  if (halfway.length > 0) {
    return (
      `the schema lacks ${halfway.join(', ')}, which this program no longer has: run db:migrate of the last ` +
      `version that has ${REPLACED.at(-1)}, then db:migrate of this one`
    );
  }
  const breaking = unknown.filter(isBreaking);
  if (breaking.length > 0) {
    return (
      `the schema is newer than this program, which does not run on it: ${breaking.join(', ')}. Run the program ` +
      'that applied it or a later one, or restore a backup from before'
    );
  }
  return missing.length === 0 ? null : `the schema lacks ${missing.join(', ')}: run db:migrate`;
}

/** Throws unless this program may migrate a database; a schema newer than the program is left alone. */
export async function assertMigratable(sql: Sql): Promise<void> {
  const schema = await readSchema(sql);
  const { unknown, missing, halfway } = schema;
  if (unknown.some(isBreaking) || halfway.length > 0) throw new Error(schemaFault(schema) ?? '');
  if (unknown.length === 0) return;
  const rollback =
    missing.length === 0
      ? 'nor need it be: this program runs on the schema as it is, and going back to it is safe'
      : `and this program needs ${missing.join(', ')}: run the program that has all of them`;
  throw new Error(
    `the schema is newer than this program, which does not know ${unknown.join(', ')}. ` +
      `Nothing was migrated, ${rollback}`,
  );
}

/**
 * Applies the missing migrations in one transaction and returns their names. If there are any, all functions are
 * applied too, after the numbered files, since they may depend on what changed.
 */
export async function migrate(sql: Sql): Promise<string[]> {
  const applied = await readApplied(sql);
  const schema = compare(applied);
  // Leave a newer schema alone if this program runs on it.
  if (schema.unknown.length > 0 && schema.missing.length === 0 && schemaFault(schema) === null) {
    return [];
  }
  await assertMigratable(sql);
  // Do nothing before this check: a role that only uses the schema may not create anything.
  if (pending(applied).length === 0) return [];
  const connection = await sql.reserve();
  try {
    await prepare(connection);
    return await apply(connection);
  } finally {
    await connection`select pg_advisory_unlock_all()`.catch(() => {});
    connection.release();
  }
}

async function apply(connection: Sql): Promise<string[]> {
  const before = await readApplied(connection);
  if (REPLACED.every((name) => before.has(name))) {
    for (const { name, sha256 } of readMigrations()) {
      if (REPLACEMENTS.includes(name) && !before.has(name)) before.set(name, sha256);
    }
  }
  const added = pending(before);
  if (added.length === 0) return [];
  let at = '';
  try {
    await connection`begin`;
    for (const { name, revision, text, sha256 } of readMigrations()) {
      at = name;
      if (revision > 0 || added.includes(name)) await connection.unsafe(text).simple();
      await connection`
        insert into schema_migration (name, sha256) values (${name}, ${sha256})
        on conflict (name) do update set sha256 = excluded.sha256, applied_at = excluded.applied_at
        where schema_migration.sha256 <> excluded.sha256`;
    }
    await connection`commit`;
    return added;
  } catch (error) {
    await connection`rollback`;
    throw new Error(`migration ${at} failed: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Lists the migrations to apply: missing ones, and changed files of functions. Throws if a numbered one was edited.
 */
function pending(applied: Applied): string[] {
  const isApplied = ({ name, sha256, revision }: Migration) => {
    const known = applied.get(name);
    if (revision === 0 && known !== undefined && known !== sha256) {
      throw new Error(`migration ${name} was edited after it was applied`);
    }
    return known === sha256;
  };
  return readMigrations()
    .filter((migration) => !isApplied(migration))
    .map(({ name }) => name);
}

async function prepare(connection: Sql): Promise<void> {
  // A session-level advisory lock: of several instances starting together, one migrates and the others wait.
  await connection`select pg_advisory_lock(${MIGRATION_LOCK}::bigint)`;
  await connection`
    create table if not exists schema_migration (
      name text primary key,
      sha256 text not null,
      applied_at timestamptz not null default now()
    )`;
}

/** The digests of applied migrations by name. */
type Applied = Map<string, string>;

async function readApplied(sql: Sql): Promise<Applied> {
  const [table] = await sql<{ exists: boolean }[]>`
    select to_regclass('schema_migration') is not null as exists`;
  if (!table?.exists) return new Map();
  const rows = await sql<{ name: string; sha256: string }[]>`
    select name, sha256 from schema_migration`;
  return new Map(rows.map((row) => [row.name, row.sha256]));
}

/** Returns the number of this program's latest migration, from its file name. */
export const newestMigration = (): string =>
  readMigrations()
    .findLast(({ revision }) => revision === 0)
    ?.name.slice(0, 4) ?? '';

/** A file of `migrations/`: numbered (revision 0), or of functions, named like `functions/views.sql@1`. */
type Migration = { name: string; file: string; revision: number; text: string; sha256: string };
let migrations: Migration[] | undefined;

/** Reads all migrations in file-name order: numbered ones, then functions, then roles. */
function readMigrations(): Migration[] {
  migrations ??= readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const text = readFileSync(new URL(file, FOLDER), 'utf8').replaceAll('\r\n', '\n');
      const revision = /^\d{4}_/.test(file) ? 0 : Number(/^-- Revision (\d+)\./.exec(text)?.[1]);
      if (Number.isNaN(revision)) throw new Error(`${file} must begin with "-- Revision N."`);
      const name = revision === 0 ? file : `${file}@${revision}`;
      return {
        name,
        file,
        revision,
        text,
        sha256: createHash('sha256').update(text).digest('hex'),
      };
    });
  return migrations;
}
