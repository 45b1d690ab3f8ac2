import { SETTINGS } from '../config.ts';
import { newestMigration } from '../data/migrate.ts';
import { API_VERSION } from '../domain/surface.ts';
import type { Logger } from '../log.ts';
import { describeSettings } from '../secrets.ts';

/** Logs the start of a process with its version, schema and settings; the returned function logs its end. */
export function tellStart(log: Logger, name: string): (signal: string) => void {
  const from = performance.now();
  const program = { process: name, version: API_VERSION, schema: newestMigration() };
  const settings = describeSettings(SETTINGS, process.env);
  log.info({ ...program, node: process.version, settings }, 'starts');
  return (signal) => {
    const seconds = Math.round((performance.now() - from) / 1000);
    log.info({ ...program, signal, seconds }, 'stopped');
  };
}
