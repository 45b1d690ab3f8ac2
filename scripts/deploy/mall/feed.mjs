// Writes a mall's whole catalog (the view of tables.sql) as a feed, for once a night:
//   MALL_DATABASE_URL=… node scripts/deploy/mall/feed.mjs | npm run -s catalog:import -- - --replace
import { once } from 'node:events';
import postgres from 'postgres';

const ROWS_AT_ONCE = 1000;

const mall = postgres(process.env.MALL_DATABASE_URL, { max: 1, onnotice: () => {} });
for await (const rows of mall`select record from mall.feed`.cursor(ROWS_AT_ONCE)) {
  const lines = rows.map(({ record }) => `${JSON.stringify(record)}\n`).join('');
  if (!process.stdout.write(lines)) await once(process.stdout, 'drain');
}
await mall.end();
