// The peers of the statistics benchmark, each a process of its own: node tests/bench/peer.ts KIND
// KIND: fastify (one query a request), fastify-memo (the same with a 30 s memo), bare (a constant).
import { createServer } from 'node:http';
import Fastify from 'fastify';
import postgres from 'postgres';

const kind = process.argv[2];
const port = Number(process.env.PORT);
const CONSTANT = '{"productId":123456,"viewsCount":512,"likesCount":40,"dislikesCount":3}';

if (kind === 'bare') {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': CONSTANT.length,
  };
  createServer((_, response) => {
    response.writeHead(200, headers);
    response.end(CONSTANT);
  }).listen(port, '127.0.0.1', ready);
} else {
  const sql = postgres(process.env.DATABASE_URL ?? '', { max: 10 });
  const app = Fastify();
  const memo = new Map<string, { at: number; value: unknown }>();
  app.get('/api/public/v1/products/:id/stats', async ({ params }) => {
    const [row] = await sql`
      select views, likes, dislikes from product_total where product_id = ${params.id}`;
    return {
      productId: Number(params.id),
      viewsCount: Number(row?.views ?? 0),
      likesCount: Number(row?.likes ?? 0),
      dislikesCount: Number(row?.dislikes ?? 0),
    };
  });
  app.get('/api/public/v1/merchants/:id/stats', async ({ params }) => {
    const known = memo.get(params.id);
    if (kind === 'fastify-memo' && known && Date.now() - known.at < 30_000) return known.value;
    const rows = await sql`
      select metric, item_id, count(*)::int as views from view_event
      where merchant_id = ${params.id} and at >= now() - interval '24 hours' and at < now()
      group by 1, 2 order by 3 desc`;
    const value = { merchantId: Number(params.id), items: rows };
    memo.set(params.id, { at: Date.now(), value });
    return value;
  });
  app.listen({ port, host: '127.0.0.1' }, ready);
}

function ready(): void {
  process.stdout.write(`Vitrine is ready at http://127.0.0.1:${port}\n`);
}
