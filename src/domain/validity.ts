import { remembered } from './remembered.ts';

/** The mall's time zone. */
export const TIME_ZONE = 'America/Sao_Paulo';

const ISO_DAY = new Intl.DateTimeFormat('sv-SE', { timeZone: TIME_ZONE, dateStyle: 'short' });
const CLOCK = new Intl.DateTimeFormat('sv-SE', { timeZone: TIME_ZONE, timeStyle: 'short' });

/** Offers share few instants; formatting each anew took 5 % of rendering. */
const INSTANTS_REMEMBERED = 1000;

/** Memoises a date format by instant. */
export function rememberedFormat(format: (instant: Date) => string): (instant: string) => string {
  return remembered((instant: string) => format(new Date(instant)), INSTANTS_REMEMBERED);
}

/** Returns the day of an instant in the mall's zone: 2026-11-30. */
export const dayOf = rememberedFormat((instant) => ISO_DAY.format(instant));

/** Returns the time of an instant in the mall's zone: 18:30. */
export const clockOf = rememberedFormat((instant) => CLOCK.format(instant));

/** Returns the last day of a validity; the end is exclusive, so midnight means the day before. */
export function lastDay(until: string): string {
  return dayOf(justBefore(until));
}

/** Returns the last millisecond before the exclusive end of a validity. */
export function justBefore(until: string): string {
  return new Date(Date.parse(until) - 1).toISOString();
}

/** Tells whether an instant is midnight or in the last minute of a day, which feeds use for its end. */
export function isDayBoundary(instant: string): boolean {
  return ['00:00', '23:59'].includes(clockOf(instant));
}
