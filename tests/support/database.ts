import { afterAll } from 'vitest';
import { openDatabase, type Sql } from '../../src/data/connection/client.ts';
import { newDatabase } from './service.ts';

/** A database of its own for a test file, closed when the file is done. */
export async function testDatabase(template: 'sample' | 'empty' = 'empty'): Promise<Sql> {
  const sql = openDatabase(await newDatabase(template), { max: 6 });
  afterAll(() => sql.end());
  return sql;
}
