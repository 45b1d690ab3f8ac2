import { escapeMarkdown } from '../../domain/escape.ts';
import { formatMoney } from '../../domain/links.ts';
import type { OfferSearchAnswer, ProductSearchAnswer } from '../../domain/records.ts';
import { type Item, paragraphs } from './text.ts';

/** The parts of a search answer besides its records. */
export type SearchFacts = Pick<
  ProductSearchAnswer | OfferSearchAnswer,
  'service' | 'interpretation' | 'applied_filters' | 'messages' | 'usage'
>;

/**
 * Writes a search answer as markdown, complete, for hosts that show their model only text: interpretation, filters,
 * records, messages and use rules.
 */
export function searchText(facts: SearchFacts, items: Item[]): string {
  return paragraphs([
    heading(facts.service, items),
    [understood(facts), searched(facts)].filter((line) => line !== '').join('\n'),
    numbered(items),
    ...facts.messages.map((message) => `Note: ${escapeMessage(message)}`),
    facts.usage,
  ]);
}

/** Writes a numbered list of linked records under the name of the service. */
export function listText(service: string, items: Item[]): string {
  return paragraphs([heading(service, items), numbered(items)]);
}

function heading(service: string, items: Item[]): string {
  return items.length === 0 ? `${service}: no results.` : `Results from ${service}:`;
}

function numbered(items: Item[]): string {
  return items
    .map(({ link, facts, notes }, index) => {
      const number = `${index + 1}. `;
      return `${number}${[link, ...facts].join(' — ')}\n${' '.repeat(number.length)}${notes.join('; ')}`;
    })
    .join('\n');
}

function understood({ interpretation }: SearchFacts): string {
  const { concepts, unmatched_terms: terms, language } = interpretation;
  const parts = [
    ...(concepts.length === 0 ? [] : [`Understood as ${concepts.map(escapeMarkdown).join(', ')}.`]),
    ...(terms.length === 0
      ? []
      : [
          `Searched as plain words: ${terms.map((term) => `"${escapeMarkdown(term)}"`).join(', ')}.`,
        ]),
    ...(language === null ? [] : [`Language of the query: ${language}.`]),
  ];
  return parts.join(' ');
}

/** Describes the place searched, whether it was the default, and the other filters. */
function searched({ applied_filters: filters }: SearchFacts): string {
  const said = (name: string) => {
    const value = filters[name];
    return typeof value === 'string' ? escapeMarkdown(value) : String(value);
  };
  const has = (name: string) => filters[name] !== undefined;
  const money = (name: string) => formatMoney(Math.round(Number(filters[name]) * 100), 'BRL');
  const city =
    filters.city_defaulted === true ? `${said('city')} (the default city)` : said('city');
  const place = [
    ...(has('district') ? [said('district')] : []),
    ...(has('city') ? [city] : []),
    ...(has('radius_meters')
      ? [`within ${said('radius_meters')} m of ${said('latitude')}, ${said('longitude')}`]
      : []),
  ];
  const rest = [
    ...(has('merchant') ? [`merchant ${said('merchant')}`] : []),
    ...(has('merchant_id') ? [`merchant id ${said('merchant_id')}`] : []),
    ...(has('category') ? [`category ${said('category')}`] : []),
    ...(has('min_price') ? [`from ${money('min_price')}`] : []),
    ...(has('max_price') ? [`up to ${money('max_price')}`] : []),
    ...(has('in_stock_only') ? [`in stock only: ${said('in_stock_only')}`] : []),
  ];
  const where = place.length === 0 ? ['all cities'] : place;
  return `Searched: ${[where.join(', '), ...rest].join('; ')}.`;
}

/**
 * Escapes a message, which may contain catalog text. Underscores within words need no escape (CommonMark 6.2), so field
 * names stay copyable.
 */
function escapeMessage(message: string): string {
  return escapeMarkdown(message).replace(/(?<=[a-z])\\_(?=[a-z])/g, '_');
}
