import { ERRORS, type ErrorCode } from '../domain/errors.ts';

/** A part of the description: JSON of any shape. */
export type Json = { [key: string]: unknown };

type ComponentKind = 'schemas' | 'headers' | 'parameters' | 'responses' | 'examples';

/** A reference to a component. */
export function ref(kind: ComponentKind, name: string): Json {
  return { $ref: `#/components/${kind}/${name}` };
}

/** JSON content of a schema, with examples by name; one of its own carries the name of the schema. */
export function jsonContent(
  schema: string,
  examples: string[] = [schema],
  type = 'application/json',
): Json {
  const named = examples.map((name) => [name, ref('examples', name)]);
  return { [type]: { schema: ref('schemas', schema), examples: Object.fromEntries(named) } };
}

/** Content that is described no further than by its type. */
export function textContent(type: string): Json {
  return { [type]: { schema: { type: 'string' } } };
}

/** The documented answers of error codes, by status. */
export function errorResponses(...codes: ErrorCode[]): Json {
  return Object.fromEntries(codes.map((code) => [ERRORS[code].status, ref('responses', code)]));
}

/** OPTIONS of an operation: the allowed methods and the preflight of cross-origin requests. */
export function optionsOperation(id: string, tag: string, more: Json = {}): Json {
  return {
    operationId: `${id}Options`,
    tags: [tag],
    summary: 'Allowed methods, and the preflight of cross-origin requests',
    ...more,
    responses: { 204: ref('responses', 'Preflight'), ...errorResponses('BAD_REQUEST') },
  };
}
