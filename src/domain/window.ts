const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** 14:00 in Moscow is 11:00 UTC all year: Moscow has had UTC+3 without daylight saving since 2014. */
const SNAPSHOT_UTC_HOUR = 11;

/** Tells whether a daily snapshot may be taken at this instant: 14:00:00.000 MSK of some day. */
export function isSnapshotInstant(instant: Date): boolean {
  return instant.getTime() % DAY_MS === SNAPSHOT_UTC_HOUR * HOUR_MS;
}

/** Returns the latest 14:00 MSK that is not after `now`. */
export function latestSnapshotInstant(now: Date): Date {
  const sinceBoundary = now.getTime() - SNAPSHOT_UTC_HOUR * HOUR_MS;
  return new Date(Math.floor(sinceBoundary / DAY_MS) * DAY_MS + SNAPSHOT_UTC_HOUR * HOUR_MS);
}
