import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrayText } from '../../src/data/connection/arrays.ts';
import { testDatabase } from '../support/database.ts';

const sql = await testDatabase();

describe('arrays', () => {
  it('go to Postgres and come back the same', async () => {
    // Postgres takes no zero character, and no half of a pair.
    const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(text, fc.constantFrom('', 'NULL', '"', '\\', 'a,b', '{}', '\n'))),
        fc.array(fc.maxSafeInteger()),
        async (texts, numbers) => {
          const [row] = await sql`
            select ${arrayText(texts)}::text::text[] as texts,
              ${arrayText(numbers)}::text::bigint[] as numbers`;
          expect(row).toEqual({ texts, numbers });
        },
      ),
    );
  });

  it('of the small kinds come as numbers', async () => {
    const [row] = await sql`
      select array[1, 2]::smallint[] as small, array[1, 2] as int, '{}'::int[] as empty,
        array[1.5, -2e30]::float8[] as float`;
    expect(row).toEqual({ small: [1, 2], int: [1, 2], empty: [], float: [1.5, -2e30] });
  });
});
