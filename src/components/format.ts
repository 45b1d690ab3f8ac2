import type { Money } from '../domain/catalog.ts';
import { formatMoney } from '../domain/links.ts';

const DATE = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});
const COUNT = new Intl.NumberFormat('pt-BR');

/** A day as people in São Paulo say it: 1º de dezembro de 2026. */
export function formatDay(instant: string): string {
  return DATE.format(new Date(instant)).replace(/^1 de/, '1º de');
}

/** The last day of a validity: an end at midnight means the day before. */
export function formatLastDay(instant: string): string {
  return formatDay(new Date(Date.parse(instant) - 1).toISOString());
}

/** A count with thousands separated: 12.345. */
export function formatCount(count: number): string {
  return COUNT.format(count);
}

/** Money for people; "sob consulta" when there is no price. */
export function formatPrice(money: Money | null): string {
  return money === null ? 'Preço sob consulta' : formatMoney(money.amount, money.currency);
}

/** By how many whole percent a price lies below another; null when it does not. */
export function discountPercent(price: Money | null, before: Money | null): number | null {
  if (price === null || before === null || price.currency !== before.currency) return null;
  if (price.amount >= before.amount) return null;
  const percent = Math.floor((1 - price.amount / before.amount) * 100);
  return percent > 0 ? percent : null;
}

/** An address that may stand in `href` or `src`: catalog text must not bring a scheme of its own. */
export function safeUrl(url: string): string | null {
  return /^https?:\/\//i.test(url) ? url : null;
}
