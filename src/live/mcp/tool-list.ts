import { z } from 'zod';
import type { Tool } from './tool.ts';

/** Tools as tools/list tells them: schemas as JSON Schema, and the hints that all of them share. */
export function listTools(tools: readonly Tool[]) {
  return tools.map((tool) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: jsonSchema(tool.input, 'input'),
    outputSchema: jsonSchema(tool.output, 'output'),
    annotations: {
      title: tool.title,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  }));
}

function jsonSchema(schema: z.ZodObject, io: 'input' | 'output') {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, reused: 'inline' });
  return inlineDefinitions(rest) as { type: 'object' };
}

/** Agents' hosts read `$ref` badly, so named schemas are written out where they are used. */
function inlineDefinitions(schema: Record<string, unknown>): unknown {
  const { $defs, ...root } = schema;
  const definitions = ($defs ?? {}) as Record<string, unknown>;
  const expand = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(expand);
    if (typeof value !== 'object' || value === null) return value;
    const node = value as Record<string, unknown>;
    const name = typeof node.$ref === 'string' ? node.$ref.replace('#/$defs/', '') : null;
    if (name !== null) return expand(definitions[name]);
    const entries = Object.entries(node).filter(
      ([key]) => key !== 'id' || typeof node.id !== 'string',
    );
    return Object.fromEntries(entries.map(([key, child]) => [key, expand(child)]));
  };
  return expand(root);
}
