/** Formats a Postgres array literal, for `${arrayText(ids)}::text::bigint[]`. */
export function arrayText(values: readonly (string | number | boolean)[]): string {
  const quoted = values.map((value) =>
    typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"` : String(value),
  );
  return `{${quoted.join(',')}}`;
}

/** Parses a one-dimensional array of numbers without nulls. */
export function parseNumbers(text: string): number[] {
  return text === '{}' ? [] : text.slice(1, -1).split(',').map(Number);
}

/** Parses a one-dimensional array of texts without nulls. */
export function parseTexts(text: string): string[] {
  const elements = text.matchAll(/"((?:[^"\\]|\\.)*)"|[^",{}]+/gs);
  return Array.from(elements, ([plain, quoted]) => quoted?.replace(/\\(.)/gs, '$1') ?? plain);
}
