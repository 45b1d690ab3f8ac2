/** An array as Postgres reads it from text, for `${arrayText(ids)}::text::bigint[]`. */
export function arrayText(values: readonly (string | number | boolean)[]): string {
  const quoted = values.map((value) =>
    typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"` : String(value),
  );
  return `{${quoted.join(',')}}`;
}

/** Reads an array of numbers, of one dimension and without nulls, from the text of Postgres. */
export function parseNumbers(text: string): number[] {
  return text === '{}' ? [] : text.slice(1, -1).split(',').map(Number);
}

/** Reads an array of texts, of one dimension and without nulls, from the text of Postgres. */
export function parseTexts(text: string): string[] {
  const elements = text.matchAll(/"((?:[^"\\]|\\.)*)"|[^",{}]+/gs);
  return Array.from(elements, ([plain, quoted]) => quoted?.replace(/\\(.)/gs, '$1') ?? plain);
}
