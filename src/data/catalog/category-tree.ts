import type { Named } from '../../domain/catalog.ts';
import type { Sql } from '../connection/client.ts';

/** The category tree as shown on pages: only categories with products, directly or below. */
export type CategoryTree = {
  ids: number[];
  roots: Named[];
  has(id: number): boolean;
  named(id: number): Named;
  /** A category's ancestors, outermost first. */
  above(id: number): Named[];
  /** Its subtree of categories with products, so that none is many clicks from the top. */
  below(id: number): (Named & { below: Named[] })[];
};

type Row = Named & { parent_id: number | null; stocked: boolean };

/** Category 0, of the products that have none: they are found from the home page like all others. */
const UNCATEGORIZED = 'Outros produtos';

/** Reads the whole tree, which is small next to the products. */
export async function readCategoryTree(sql: Sql): Promise<CategoryTree> {
  const rows = await sql<Row[]>`
    select id, name, parent_id, stocked from (
      select c.id, c.name, c.parent_id, c.name_key,
        exists (select from product where category_id = c.id) as stocked from category c
      union all
      select 0, ${UNCATEGORIZED}, null, null, exists (select from product where category_id is null)
    ) c order by name_key collate "C" nulls last, id`;
  const known = new Map(rows.map((row) => [row.id, row]));
  const rowsAbove = (id: number): Row[] => {
    const found: Row[] = [];
    // Guards against a cycle, which no import lets in.
    for (let row = known.get(id); row !== undefined && !found.includes(row); ) {
      found.unshift(row);
      row = row.parent_id === null ? undefined : known.get(row.parent_id);
    }
    return found;
  };
  const stocked = new Set(
    rows.filter((row) => row.stocked).flatMap(({ id }) => rowsAbove(id).map((row) => row.id)),
  );
  const children = Map.groupBy(
    rows.filter(({ id }) => stocked.has(id)),
    (row) => row.parent_id,
  );
  const named = ({ id, name }: Named): Named => ({ id, name });
  const below = (id: number | null) => children.get(id)?.map(named) ?? [];
  const allBelow = (id: number): Named[] =>
    below(id).flatMap((child) => [child, ...allBelow(child.id)]);
  return {
    ids: rows.map(({ id }) => id),
    roots: below(null),
    has: (id) => known.has(id),
    named: (id) => named(known.get(id) as Row),
    above: (id) => rowsAbove(id).slice(0, -1).map(named),
    below: (id) => below(id).map((child) => ({ ...child, below: allBelow(child.id) })),
  };
}
