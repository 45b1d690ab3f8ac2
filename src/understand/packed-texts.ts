/** Lays texts out one after the other, as UTF-16. */
export function packTexts(texts: readonly string[]): { text: Uint16Array; textAt: Uint32Array } {
  const textAt = new Uint32Array(texts.length + 1);
  for (const [place, text] of texts.entries()) {
    textAt[place + 1] = (textAt[place] ?? 0) + text.length;
  }
  const all = new Uint16Array(textAt[texts.length] ?? 0);
  for (const [place, text] of texts.entries()) {
    const start = textAt[place] ?? 0;
    for (let at = 0; at < text.length; at += 1) all[start + at] = text.charCodeAt(at);
  }
  return { text: all, textAt };
}

/** Reads the texts of `packTexts` by their number. */
export function openTexts(text: Uint16Array, textAt: Uint32Array): (place: number) => string {
  return (place) => String.fromCharCode(...text.subarray(textAt[place], textAt[place + 1]));
}
