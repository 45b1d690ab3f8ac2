import {
  clockOf,
  dayOf,
  isDayBoundary,
  justBefore,
  lastDay,
  TIME_ZONE as timeZone,
} from '../domain/validity.ts';

const YEAR_DAY = new Intl.DateTimeFormat('pt-BR', { timeZone, dateStyle: 'long' });
const DAY = new Intl.DateTimeFormat('pt-BR', { timeZone, day: 'numeric', month: 'long' });
const COUNT = new Intl.NumberFormat('pt-BR');

/** A piece of a validity in words; `instant` where it says one. */
export type ValidityPart = { text: string; instant?: string };

/**
 * A validity as people in São Paulo say it: the hour only where it is not a whole day, an end at
 * midnight means the day before, and the first year is left out where the second one says it.
 */
export function describeValidity(from: string | null, until: string | null): ValidityPart[] {
  const end = (instant: string) => ({
    text: dayAndHour(isDayBoundary(instant) ? justBefore(instant) : instant, true),
    instant,
  });
  if (from === null) {
    return until === null
      ? [{ text: 'enquanto estiver publicada' }]
      : [{ text: 'até ' }, end(until)];
  }
  if (until === null) {
    return [{ text: 'a partir de ' }, { text: dayAndHour(from, true), instant: from }];
  }
  const sameYear = dayOf(from).slice(0, 4) === lastDay(until).slice(0, 4);
  const start = dayAndHour(from, !sameYear);
  // An hour asks for a comma: de 19 de novembro, às 8h, a 30 de novembro.
  const joint = start.includes(',') ? ', a ' : ' a ';
  return [{ text: 'de ' }, { text: start, instant: from }, { text: joint }, end(until)];
}

/** A day in São Paulo, with or without its year: 1º de dezembro de 2026. */
function formatDay(instant: string, withYear = true): string {
  const format = withYear ? YEAR_DAY : DAY;
  return format.format(new Date(instant)).replace(/^0?1 de/, '1º de');
}

function dayAndHour(instant: string, withYear: boolean): string {
  const day = formatDay(instant, withYear);
  if (isDayBoundary(instant)) return day;
  const [hour = '', minute = ''] = clockOf(instant).split(':');
  return `${day}, às ${Number(hour)}h${minute === '00' ? '' : minute}`;
}

/** A count with thousands separated: 12.345. */
export function formatCount(count: number): string {
  return COUNT.format(count);
}

/** An address that may stand in `href` or `src`: catalog text must not bring a scheme of its own. */
export function safeUrl(url: string): string | null {
  return /^https?:\/\//i.test(url) ? url : null;
}
