import { remembered } from './remembered.ts';

/** The zone that the mall's days are counted in. */
export const TIME_ZONE = 'America/Sao_Paulo';

const ISO_DAY = new Intl.DateTimeFormat('sv-SE', { timeZone: TIME_ZONE, dateStyle: 'short' });
const CLOCK = new Intl.DateTimeFormat('sv-SE', { timeZone: TIME_ZONE, timeStyle: 'short' });

/** Offers begin and end at the same few instants; formatting them anew was a twentieth of rendering. */
const INSTANTS_REMEMBERED = 1000;

/** A format of instants that remembers the latest ones. */
export function rememberedFormat(format: (instant: Date) => string): (instant: string) => string {
  return remembered((instant: string) => format(new Date(instant)), INSTANTS_REMEMBERED);
}

/** The day of an instant in the mall's zone: 2026-11-30. */
export const dayOf = rememberedFormat((instant) => ISO_DAY.format(instant));

/** The time of an instant in the mall's zone: 18:30. */
export const clockOf = rememberedFormat((instant) => CLOCK.format(instant));

/** The last day of a validity; its end is exclusive, so that midnight means the day before. */
export function lastDay(until: string): string {
  return dayOf(justBefore(until));
}

/** The last millisecond before the exclusive end of a validity. */
export function justBefore(until: string): string {
  return new Date(Date.parse(until) - 1).toISOString();
}

/** True at midnight and in the last minute of a day, which feeds also use for its end. */
export function isDayBoundary(instant: string): boolean {
  return ['00:00', '23:59'].includes(clockOf(instant));
}
