import { cleanLine } from '../../domain/escape.ts';

/** The query of a search page, as in its URL. */
export type PageQuery = {
  words: string;
  city: string;
  district: string;
  minPrice: number | null;
  maxPrice: number | null;
  sort: PageSort;
};

/** Sort orders by their name in the URL: label and search argument. */
export const PAGE_SORTS = {
  '': ['Mais relevantes', 'relevance'],
  'menor-preco': ['Menor preço', 'price_asc'],
  'maior-preco': ['Maior preço', 'price_desc'],
} as const;
export type PageSort = keyof typeof PAGE_SORTS;

const WORDS_LENGTH = 400;
const NAME_LENGTH = 200;

/** Reads the parameters of a search page; invalid ones are ignored. */
export function readPageQuery(parameters: URLSearchParams): PageQuery {
  const text = (name: string, length: number) =>
    cleanLine(parameters.get(name) ?? '')
      .slice(0, length)
      .toWellFormed();
  const sort = text('ordem', 20);
  const prices = [readPrice(text('min', 20)), readPrice(text('max', 20))] as const;
  const [least, most] = prices;
  const crossed = least !== null && most !== null && least > most;
  return {
    words: text('q', WORDS_LENGTH),
    city: text('cidade', NAME_LENGTH),
    district: text('bairro', NAME_LENGTH),
    minPrice: crossed ? most : least,
    maxPrice: crossed ? least : most,
    sort: Object.hasOwn(PAGE_SORTS, sort) ? (sort as PageSort) : '',
  };
}

/** Reads a price in reais such as "59,90", "1.299" or "60". */
function readPrice(text: string): number | null {
  const plain = text.replace(/^R\$ ?/i, '').replace(/\.(?=\d{3}(?:\D|$))/g, '');
  return /^\d{1,9}(?:[.,]\d{1,2})?$/.test(plain) ? Number(plain.replace(',', '.')) : null;
}

/** Returns the path of a search page. */
export function searchPath(query: PageQuery): string {
  const fields: [string, string][] = [
    ['q', query.words],
    ['cidade', query.city],
    ['bairro', query.district],
    ['min', query.minPrice === null ? '' : String(query.minPrice)],
    ['max', query.maxPrice === null ? '' : String(query.maxPrice)],
    ['ordem', query.sort],
  ];
  const given = fields.filter(([, value]) => value !== '');
  return `/buscar?${new URLSearchParams(given)}`;
}
