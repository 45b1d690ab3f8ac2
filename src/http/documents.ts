/** Returns a prerendered text document with its content type. */
export function document(body: string, type: string): Response {
  return new Response(body, { headers: { 'content-type': `${type}; charset=utf-8` } });
}

/** Returns a prerendered JSON document, indented for human readers. */
export function jsonDocument(value: unknown, type = 'application/json'): Response {
  return document(`${JSON.stringify(value, null, 2)}\n`, type);
}
