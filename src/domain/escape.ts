const XML_ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Control characters (except tab and line ends), bidirectional overrides and zero-width characters. */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\uFFF9-\uFFFB]/g;

/** Removes control characters, bidirectional overrides and lone surrogates. */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(INVISIBLE, '');
}

/** White space that is not one space: replacing each space by itself is 4 % of rendering a page. */
const RAGGED = /[^\S ]\s*| \s+/g;

/** Cleans catalog text and puts it on one line. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(RAGGED, ' ').trim();
}

/** Escapes text for XML content and attribute values. */
export function escapeXml(text: string): string {
  return cleanText(text).replace(/[&<>"']/g, (char) => XML_ESCAPES[char] ?? char);
}

/**
 * Escapes text for one line of markdown: it cannot open a link, markup, HTML, a list or a heading. Backslashes
 * stand only before ASCII punctuation, so a renderer shows the text unchanged.
 */
export function escapeMarkdown(text: string): string {
  return cleanLine(text)
    .replace(/[\\`*_{}[\]()#!|<>~&@]/g, '\\$&')
    .replace(/:\/\//g, '\\://')
    .replace(/\bwww\./gi, (www) => `${www.slice(0, 3)}\\.`)
    .replace(/^[-+=]/, '\\$&')
    .replace(/^(\d+)([.)])/, '$1\\$2');
}

/** Serialises a value as JSON that is safe inside a script element: no `<`, no line separators. */
export function escapeJsonForScript(value: unknown): string {
  return JSON.stringify(value)
    .replace(/</g, '\\u003c')
    .replace(/>/g, '\\u003e')
    .replace(/&/g, '\\u0026')
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029');
}
