import { describe, expect, it } from 'vitest';
import { copyBinary } from '../../src/data/connection/copy.ts';
import { testDatabase } from '../support/database.ts';

const sql = await testDatabase();
await sql`create table copied (id bigint primary key check (id <> 13), few smallint, many int, list int[], mark uuid)`;

const copy = (ids: (number | bigint)[], list = [7, -7, 0, 2 ** 31 - 1]) => {
  const left = [...ids];
  return copyBinary(sql, 'copied (id, few, many, list, mark)', (rows) => {
    const id = left.shift();
    if (id === undefined) return false;
    rows.row(5);
    rows.int8(id);
    rows.int2(-2);
    rows.int4(-70_000);
    rows.int4s(Int32Array.from(list));
    rows.uuid('00112233-4455-6677-8899-aabbccddeeff');
    return true;
  });
};

describe('rows by COPY in its binary format', () => {
  it('arrive unchanged: none, a few, and more than one chunk', async () => {
    await copy([]);
    await copy([2n ** 62n]);
    expect(await sql`select id::text, few, many, list, mark from copied`).toEqual([
      {
        ...{ id: String(2n ** 62n), few: -2, many: -70_000, list: [7, -7, 0, 2 ** 31 - 1] },
        mark: '00112233-4455-6677-8899-aabbccddeeff',
      },
    ]);
    const long = Array.from({ length: 200_000 }, (_, at) => at);
    await copy([1, 2, 3], long);
    expect(await sql`select id from copied where cardinality(list) = 200000 order by id`).toEqual(
      [1, 2, 3].map((id) => ({ id })),
    );
    await copy([4], []);
    expect(await sql`select list from copied where id = 4`).toEqual([{ list: [] }]);
  });

  it('fail with the message of the database, whichever row is wrong', async () => {
    await expect(copy([20, 13])).rejects.toThrow(/violates check constraint/);
    await expect(copy([20, 20])).rejects.toThrow(/duplicate key/);
    expect(await sql`select id from copied where id = 20`).toEqual([]);
  });
});
