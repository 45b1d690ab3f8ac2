import type { ContentBlock } from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import type { Live } from '../live.ts';

/** What a tool answers: the structured record and the blocks that show it. */
export type ToolAnswer = {
  structuredContent: Record<string, unknown>;
  content: ContentBlock[];
  /** How many product and offer records it holds; charged to the shared record quota. */
  records: number;
};

/** What a tool may use: the outside world and what is left of the caller's records. */
export type ToolContext = { live: Live; recordsLeft: number };

/** One tool of the catalog server. */
export type Tool = {
  name: string;
  title: string;
  description: string;
  input: z.ZodObject;
  output: z.ZodObject;
  /** True when its answers hold records, so that an exhausted record quota refuses the call. */
  charged: boolean;
  run(args: unknown, context: ToolContext): Promise<ToolAnswer>;
};

/** Bad arguments or an id that is not public: told to the agent as an `isError` result. */
export class ToolFault extends Error {}

/** Defines a tool with its arguments typed by its own schema. */
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

/** Validates arguments; the fault names the field, what was wrong and the valid fields. */
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
