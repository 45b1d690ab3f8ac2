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
  /** Its children and, if they are few, theirs. */
  below(id: number): (Named & { below: Named[] })[];
  /** All of them, each with the name of its parent. */
  all(): (Named & { within: string | null })[];
};

type Row = Named & { parent_id: number | null; stocked: boolean };

/** Category 0, of the products that have none: they are found from the home page like all others. */
const UNCATEGORIZED = 'Outros produtos';

/** The most categories that one page shows below another: all are in the directory. */
const MOST_BELOW = 300;

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
  const twoBelow = (id: number) => {
    const first = below(id).slice(0, MOST_BELOW);
    const both = first.map((child) => ({ ...child, below: below(child.id) }));
    const count = both.reduce((sum, child) => sum + 1 + child.below.length, 0);
    return count <= MOST_BELOW ? both : first.map((child) => ({ ...child, below: [] }));
  };
  const all = () =>
    [...children].flatMap(([parent, rows]) => {
      const within = parent === null ? null : (known.get(parent)?.name ?? null);
      return rows.map(({ id, name }) => ({ id, name, within }));
    });
  return {
    ids: rows.map(({ id }) => id),
    roots: below(null),
    has: (id) => known.has(id),
    named: (id) => named(known.get(id) as Row),
    above: (id) => rowsAbove(id).slice(0, -1).map(named),
    below: twoBelow,
    all,
  };
}
