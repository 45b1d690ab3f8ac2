import {
  clockOf,
  dayOf,
  isDayBoundary,
  justBefore,
  lastDay,
  rememberedFormat,
  TIME_ZONE as timeZone,
} from '../domain/validity.ts';

const YEAR_DAY = new Intl.DateTimeFormat('pt-BR', { timeZone, dateStyle: 'long' });
const DAY = new Intl.DateTimeFormat('pt-BR', { timeZone, day: 'numeric', month: 'long' });
const sayDay = (format: Intl.DateTimeFormat) =>
  rememberedFormat((instant) => format.format(instant).replace(/^0?1 de/, '1º de'));
/** Format a day in São Paulo with and without its year: 1º de dezembro de 2026. */
const yearDay = sayDay(YEAR_DAY);
const day = sayDay(DAY);
const COUNT = new Intl.NumberFormat('pt-BR');

/** A part of a formatted validity; `instant` if it is a date. */
export type ValidityPart = { text: string; instant?: string };

/**
 * Formats a validity in São Paulo time: without hours at midnight (an end then means the day before), and with the
 * first year only if the second differs.
 */
export function describeValidity(from: string | null, until: string | null): ValidityPart[] {
  const end = (instant: string) => ({ text: describeEnd(instant), instant });
  if (from === null) {
    return until === null
      ? [{ text: 'enquanto estiver publicada' }]
      : [{ text: 'até ' }, end(until)];
  }
  if (until === null) {
    return [{ text: 'a partir de ' }, { text: describeStart(from), instant: from }];
  }
  const sameYear = dayOf(from).slice(0, 4) === lastDay(until).slice(0, 4);
  const start = dayAndHour(from, !sameYear);
  // An hour needs a comma: de 19 de novembro, às 8h, a 30 de novembro.
  const joint = start.includes(',') ? ', a ' : ' a ';
  return [{ text: 'de ' }, { text: start, instant: from }, { text: joint }, end(until)];
}

/** Formats the end of a validity: 30 de novembro de 2026. */
export function describeEnd(until: string): string {
  return dayAndHour(isDayBoundary(until) ? justBefore(until) : until, true);
}

/** Formats the start of a validity. */
export function describeStart(from: string): string {
  return dayAndHour(from, true);
}

function dayAndHour(instant: string, withYear: boolean): string {
  const text = withYear ? yearDay(instant) : day(instant);
  if (isDayBoundary(instant)) return text;
  const [hour = '', minute = ''] = clockOf(instant).split(':');
  return `${text}, às ${Number(hour)}h${minute === '00' ? '' : minute}`;
}

/** Formats a count with thousands separators: 12.345. */
export function formatCount(count: number): string {
  return COUNT.format(count);
}

/** Formats a Brazilian E.164 number as (11) 91234-5678; returns others unchanged. */
export function formatPhone(number: string): string {
  const [, area, first, last] = /^\+55(\d\d)(\d{4,5})(\d{4})$/.exec(number) ?? [];
  return area === undefined ? number : `(${area}) ${first}-${last}`;
}

const HOURS: Record<string, string> = {
  Mo: 'seg',
  Tu: 'ter',
  We: 'qua',
  Th: 'qui',
  Fr: 'sex',
  Sa: 'sáb',
  Su: 'dom',
  PH: 'feriados',
  off: 'fechado',
  closed: 'fechado',
};

/** Translates opening hours in OpenStreetMap syntax: seg a sáb 10:00–22:00; dom fechado. */
export function formatOpeningHours(hours: string): string {
  return hours
    .replace(/^24\/7$/, 'Aberto 24 horas')
    .replace(/\b([A-Z][a-z])-([A-Z][a-z])\b/g, '$1 a $2')
    .replace(/(\d)-(\d)/g, '$1–$2')
    .replace(/,(?=\w)/g, ', ')
    .replace(/\b(Mo|Tu|We|Th|Fr|Sa|Su|PH|off|closed)\b/g, (word) => HOURS[word] ?? word);
}

/** Tells whether a title is set smaller; two lines of a desktop's column hold this many characters. */
export const isLong = (title: string): boolean => title.length > 60;

/** Returns an http(s) URL for `href` or `src`, else null: catalog text may contain other schemes (javascript:). */
export function safeUrl(url: string): string | null {
  return /^https?:\/\//i.test(url) ? url : null;
}
