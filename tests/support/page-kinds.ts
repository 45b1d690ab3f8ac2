import { openDatabase } from '../../src/data/connection/client.ts';

/** A page of each kind of list; the last one is continued from another. */
const LISTS = [
  '/lojas',
  '/categorias',
  '/cidades',
  '/lojas/117',
  '/categorias/1',
  '/cidades/sao-paulo',
  '/cidades/sao-paulo/pinheiros',
  '/ofertas/2',
];

/** Paths of a page of each kind: `offer` and `product` have most of what such pages can show. */
export async function pageKinds(databaseUrl: string) {
  const sql = openDatabase(databaseUrl, { max: 1 });
  const [row] = await sql<{ id: number; product_id: number }[]>`
    select id, product_id from offer o
    where is_public(o, now()) and id > 0 and product_id is not null and valid_until is not null
    order by id limit 1`;
  await sql.end();
  const offer = `/offers/${row?.id}`;
  const product = `/products/${row?.product_id}`;
  return { offer, product, all: ['/', offer, product, '/offers/-1', '/nothing-here', ...LISTS] };
}
