import { sealDueHours } from '../src/data/statistics/hours.ts';
import { takeSnapshot } from '../src/data/statistics/snapshots.ts';
import { isSnapshotInstant, latestSnapshotInstant } from '../src/domain/stats.ts';
import { withDatabase } from '../src/server/database.ts';
import { fail, readArguments, run } from './command.ts';

const HELP = `
Usage: npm run stats:snapshot [-- --at ISO_INSTANT]

Takes the daily snapshot of every merchant's last 24 hours; a second run changes nothing.
  --at  a 14:00 MSK (11:00 UTC) instant, such as 2026-11-20T11:00:00Z; the latest due one by default`;

const { values } = readArguments(HELP, { at: { type: 'string' } });
await run(async (config) => {
  const at = values.at === undefined ? latestSnapshotInstant(new Date()) : new Date(values.at);
  if (Number.isNaN(at.getTime())) fail(`--at ${values.at} is not an ISO instant`);
  if (!isSnapshotInstant(at)) fail(`--at ${values.at} is not 14:00 MSK (11:00:00Z) of a day`);
  const result = await withDatabase(config, async (sql) => {
    await sealDueHours(sql);
    return takeSnapshot(sql, at);
  });
  if (result.outcome === 'refused') fail(`no snapshot: ${result.reason}`);
  console.log(
    result.outcome === 'taken'
      ? `Snapshot of ${at.toISOString()} taken for ${result.merchants} merchants`
      : `Snapshot of ${at.toISOString()} was taken before`,
  );
});
