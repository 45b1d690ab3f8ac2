// Submits the changes of a mall's outbox (outbox.sql) to Vitrine, in order and exactly once: a worker that dies
// between the two databases submits the same row again with the same key, and Vitrine ignores the duplicate.
//   MALL_DATABASE_URL=… VITRINE_DATABASE_URL=… node scripts/deploy/mall/outbox.mjs
import postgres from 'postgres';

const LOOK_EVERY_MS = 10_000;

const mall = postgres(process.env.MALL_DATABASE_URL, { max: 1, onnotice: () => {} });
const vitrine = postgres(process.env.VITRINE_DATABASE_URL, { max: 1, onnotice: () => {} });

/** Submits the oldest row; false when there is none. */
function bringOne() {
  return mall.begin(async (tx) => {
    // A second worker waits here.
    await tx`lock table mall.outbox in share update exclusive mode`;
    const [row] = await tx`select id, changes from mall.outbox order by id limit 1`;
    if (row === undefined) return false;
    await vitrine`select submit_catalog(${vitrine.json(row.changes)}, ${`outbox ${row.id}`})`;
    await tx`delete from mall.outbox where id = ${row.id}`;
    return true;
  });
}

let wake = () => {};
await mall.listen('mall_outbox', () => wake());
for (;;) {
  try {
    while (await bringOne());
  } catch (error) {
    process.stderr.write(`outbox: ${error.message}; tried again\n`);
  }
  await new Promise((done) => {
    wake = done;
    setTimeout(done, LOOK_EVERY_MS);
  });
}
