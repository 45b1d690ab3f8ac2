import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Settings that hold passwords: they may be read from a file and are never printed. */
export const SECRETS = ['DATABASE_URL', 'DATABASE_READ_URL', 'RATE_LIMIT_STORE'];

/** Returns the given settings for the log; secrets and client networks only as "set". */
export function describeSettings(
  names: string[],
  env: Record<string, string | undefined>,
): Record<string, string> {
  const made = names.filter((name) => env[name] || env[`${name}_FILE`]);
  const isTold = (name: string) => !SECRETS.includes(name) && name !== 'CLIENT_QUOTAS';
  return Object.fromEntries(made.map((name) => [name, isTold(name) ? (env[name] ?? '') : 'set']));
}

/** Names a setting in an error message, with its value unless it may hold a password. */
export function describeSetting(name: string, value: string | undefined): string {
  return SECRETS.includes(name) ? name : `${name}=${JSON.stringify(value)}`;
}

/**
 * Reads the files named by `DATABASE_URL_FILE` and the like into the environment, and returns the faults. An empty
 * value counts as unset.
 */
export function readSecrets(env: Record<string, string | undefined>): {
  given: Record<string, string | undefined>;
  faults: string[];
} {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const faults: string[] = [];
  for (const name of SECRETS) {
    const file = given[`${name}_FILE`];
    if (file === undefined) continue;
    const told = `${name}_FILE=${JSON.stringify(file)}`;
    if (given[name] !== undefined) {
      faults.push(`${told}: ${name} is set as well; unset one of them`);
      continue;
    }
    try {
      given[name] = readFileSync(resolve(file), 'utf8').trim();
    } catch (error) {
      faults.push(`${told}: cannot be read (${(error as NodeJS.ErrnoException).code})`);
    }
  }
  return { given, faults };
}
