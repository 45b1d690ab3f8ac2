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
/** A day in São Paulo, with and without its year: 1º de dezembro de 2026. */
const yearDay = sayDay(YEAR_DAY);
const day = sayDay(DAY);
const COUNT = new Intl.NumberFormat('pt-BR');

/** A piece of a validity in words; `instant` where it says one. */
export type ValidityPart = { text: string; instant?: string };

/**
 * A validity as people in São Paulo say it: the hour only where it is not a whole day, an end at
 * midnight means the day before, and the first year is left out where the second one says it.
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
  // An hour asks for a comma: de 19 de novembro, às 8h, a 30 de novembro.
  const joint = start.includes(',') ? ', a ' : ' a ';
  return [{ text: 'de ' }, { text: start, instant: from }, { text: joint }, end(until)];
}

/** The end of a validity in words: 30 de novembro de 2026. */
export function describeEnd(until: string): string {
  return dayAndHour(isDayBoundary(until) ? justBefore(until) : until, true);
}

/** The begin of a validity in words. */
export function describeStart(from: string): string {
  return dayAndHour(from, true);
}

function dayAndHour(instant: string, withYear: boolean): string {
  const text = withYear ? yearDay(instant) : day(instant);
  if (isDayBoundary(instant)) return text;
  const [hour = '', minute = ''] = clockOf(instant).split(':');
  return `${text}, às ${Number(hour)}h${minute === '00' ? '' : minute}`;
}

/** A count with thousands separated: 12.345. */
export function formatCount(count: number): string {
  return COUNT.format(count);
}

/** A number in E.164 as people in Brazil write it: (11) 91234-5678; others as they are. */
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

/** Opening hours in the syntax of OpenStreetMap in words: seg a sáb 10:00–22:00; dom fechado. */
export function formatOpeningHours(hours: string): string {
  return hours
    .replace(/^24\/7$/, 'Aberto 24 horas')
    .replace(/\b([A-Z][a-z])-([A-Z][a-z])\b/g, '$1 a $2')
    .replace(/(\d)-(\d)/g, '$1–$2')
    .replace(/,(?=\w)/g, ', ')
    .replace(/\b(Mo|Tu|We|Th|Fr|Sa|Su|PH|off|closed)\b/g, (word) => HOURS[word] ?? word);
}

/** An address that may stand in `href` or `src`: catalog text must not bring a scheme of its own. */
export function safeUrl(url: string): string | null {
  return /^https?:\/\//i.test(url) ? url : null;
}
