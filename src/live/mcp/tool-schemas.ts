import { z } from 'zod';
import type { Tool } from './define-tool.ts';

type Schema = { [key: string]: unknown; properties?: Record<string, Schema>; items?: Schema };
type ObjectSchema = Schema & { type: 'object' };

/** Bounds left out as irrelevant in practice: those of a number's type, and the maximum length of names. */
const WIDE = { number: 1e12, maxLength: 200 };

/**
 * Makes the result of tools/list: JSON Schemas and shared hints. Hosts put the whole list into the model's context, so
 * it is kept short: result fields have their types, with nested fields summarised in the description.
 */
export function listTools(tools: readonly Tool[]) {
  return tools.map((tool) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: withoutWideBounds(jsonSchema(tool.input, 'input')) as ObjectSchema,
    outputSchema: inShort(jsonSchema(tool.output, 'output')),
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  }));
}

function jsonSchema(schema: z.ZodObject, io: 'input' | 'output'): ObjectSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, reused: 'inline' });
  return inlineDefinitions(rest as Schema) as ObjectSchema;
}

/** Inlines named schemas: agent hosts handle `$ref` badly. */
function inlineDefinitions(schema: Schema): unknown {
  const { $defs, ...root } = schema;
  const definitions = ($defs ?? {}) as Record<string, unknown>;
  const expand = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(expand);
    if (!isSchema(value)) return value;
    const name = typeof value.$ref === 'string' ? value.$ref.replace('#/$defs/', '') : null;
    if (name !== null) return expand(definitions[name]);
    const entries = Object.entries(value).filter(
      ([key]) => key !== 'id' || typeof value.id !== 'string',
    );
    return Object.fromEntries(entries.map(([key, child]) => [key, expand(child)]));
  };
  return expand(root);
}

function withoutWideBounds(schema: Schema): Schema {
  const { properties, maxLength, ...rest } = schema;
  const entries = Object.entries(rest).filter(
    ([, value]) => typeof value !== 'number' || Math.abs(value) < WIDE.number,
  );
  return {
    ...Object.fromEntries(entries),
    ...(maxLength === undefined || maxLength === WIDE.maxLength ? {} : { maxLength }),
    ...(properties === undefined ? {} : { properties: mapValues(properties, withoutWideBounds) }),
  };
}

/** Shortens the schema of a result: types for its fields, words for what is nested. */
function inShort({ type, properties = {}, required }: ObjectSchema): ObjectSchema {
  return { type, properties: mapValues(properties, fieldInShort), required };
}

function fieldInShort(schema: Schema): Schema {
  const plain = withoutNull(schema);
  const type = plain === schema ? schema.type : [plain.type, 'null'];
  const said = [schema.description, plain.items === undefined && inWords(plain)].filter(Boolean);
  return {
    type,
    ...(said.length === 0 ? {} : { description: said.join(' ') }),
    ...(plain.items === undefined ? {} : { items: fieldInShort(plain.items) }),
  };
}

/** Returns the non-null alternative of a nullable schema. */
function withoutNull(schema: Schema): Schema {
  const [first, second] = (schema.anyOf ?? []) as Schema[];
  return first !== undefined && second?.type === 'null' ? first : schema;
}

/** Summarises an enumeration, or the fields of an object with their descriptions; `?` marks optional ones. */
function inWords(schema: Schema): string {
  const { properties, items, required, enum: values } = withoutNull(schema);
  if (Array.isArray(values)) return values.join(' | ');
  if (items !== undefined) return inWords(items);
  if (properties === undefined) return '';
  const fields = Object.entries(properties).map(([key, field]) => {
    const name = (required as string[]).includes(key) ? key : `${key}?`;
    const said = [field.description, inWords(field)].filter(Boolean);
    return said.length === 0 ? name : `${name}: ${said.join(' ')}`;
  });
  return `{${fields.join(', ')}}`;
}

function mapValues<From, To>(all: Record<string, From>, map: (value: From) => To) {
  return Object.fromEntries(Object.entries(all).map(([key, value]) => [key, map(value)]));
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null;
}
