/** A host that is connected to a service, as far as this suite uses it. */
export type Session = {
  /** The names of the tools. */
  listTools(): Promise<string[]>;
  /** Calls a tool; the text that the host hands its model. */
  callTool(name: string, args: Record<string, unknown>): Promise<string>;
  close(): Promise<unknown>;
};

/** Connects a host to the catalog server at an address. */
export type Connect = (url: string) => Promise<Session>;

/** The text of content blocks, which is all that many hosts hand their model. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw new Error(`no content blocks: ${JSON.stringify(content)}`);
  return content
    .map((block: { type?: string; text?: string }) => (block.type === 'text' ? block.text : ''))
    .join('\n');
}
