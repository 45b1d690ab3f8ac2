import { ERRORS, type ErrorCode } from '../domain/errors.ts';

/** A part of the description: JSON of any shape. */
export type Json = { [key: string]: unknown };

type ComponentKind = 'schemas' | 'headers' | 'parameters' | 'responses' | 'examples';

/** Returns a reference to a component. */
export function ref(kind: ComponentKind, name: string): Json {
  return { $ref: `#/components/${kind}/${name}` };
}

/** Returns JSON content of a schema with named examples, by default the one named like the schema. */
export function jsonContent(
  schema: string,
  examples: string[] = [schema],
  type = 'application/json',
): Json {
  const named = examples.map((name) => [name, ref('examples', name)]);
  return { [type]: { schema: ref('schemas', schema), examples: Object.fromEntries(named) } };
}

/** Returns content described only by its media type. */
export function textContent(type: string): Json {
  return { [type]: { schema: { type: 'string' } } };
}

/** Returns the responses of error codes, by status. */
export function errorResponses(...codes: ErrorCode[]): Json {
  return Object.fromEntries(codes.map((code) => [ERRORS[code].status, ref('responses', code)]));
}

/** Returns the OPTIONS operation of a path. */
export function optionsOperation(id: string, tag: string, more: Json = {}): Json {
  return {
    operationId: `${id}Options`,
    tags: [tag],
    summary: 'Allowed methods, and the preflight of cross-origin requests',
    ...more,
    responses: { 204: ref('responses', 'Preflight'), ...errorResponses('BAD_REQUEST') },
  };
}
