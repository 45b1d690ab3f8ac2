import type { ContentBlock } from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import type { Live } from '../live.ts';

/** The answer of a tool: structured content, and the same as content blocks. */
export type ToolAnswer = {
  structuredContent: Record<string, unknown>;
  content: ContentBlock[];
  /** Number of product and offer records, charged to the shared record quota. */
  records: number;
};

/** What a tool may use: its dependencies, and the rest of the caller's record quota. */
export type ToolContext = { live: Live; recordsLeft: number };

/** One tool of the catalog server. */
export type Tool = {
  name: string;
  title: string;
  description: string;
  input: z.ZodObject;
  output: z.ZodObject;
  /** Whether its answers contain records, so that an exhausted record quota refuses the call. */
  charged: boolean;
  run(args: unknown, context: ToolContext): Promise<ToolAnswer>;
};

/** Invalid arguments or an unknown id: returned to the agent as an `isError` result. */
export class ToolFault extends Error {}

/** Defines a tool whose `run` gets validated arguments. */
export function defineTool<Input extends z.ZodObject>(
  tool: Omit<Tool, 'input' | 'run'> & {
    input: Input;
    run(args: z.infer<Input>, context: ToolContext): Promise<ToolAnswer>;
  },
): Tool {
  return {
    ...tool,
    run: (args, context) => tool.run(parseArguments(tool.input, args), context),
  };
}

/** Validates arguments; throws a fault that names the field, the problem and the valid fields. */
function parseArguments<Input extends z.ZodObject>(input: Input, args: unknown): z.infer<Input> {
  const parsed = input.safeParse(args ?? {});
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) =>
    issue.code === 'unrecognized_keys'
      ? `${issue.keys.map((key) => JSON.stringify(key.slice(0, 60))).join(', ')}: unknown field`
      : `${issue.path.join('.') || 'arguments'}: ${issue.message}`,
  );
  const fields = Object.keys(input.shape);
  const valid = fields.length === 0 ? 'none' : fields.join(', ');
  throw new ToolFault(`Invalid arguments. ${faults.join('; ')}. Valid fields: ${valid}.`);
}
