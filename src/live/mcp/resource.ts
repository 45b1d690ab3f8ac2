import type { Live } from '../live.ts';
import type { ToolContext } from './tool.ts';

/** How many names a completion gives: enough to choose from, too few to list the catalog by. */
export const MAX_COMPLETIONS = 10;

/** The text or bytes of a resource, as MCP sends them. */
export type ResourceContent = { uri: string; mimeType: string } & (
  | { text: string }
  | { blob: string }
);

/** What reading a resource gives; null when there is none at the address. */
export type ResourceAnswer = {
  contents: ResourceContent[];
  /** How many product and offer records it holds; charged to the shared record quota. */
  records: number;
} | null;

/** What the lists tell of a resource or of a template. */
type Described = { name: string; title: string; description: string };

/** A resource at one address. */
export type Resource = Described & {
  mimeType: string;
  uri(live: Live): string;
  read(context: ToolContext): Promise<ResourceAnswer>;
};

/** Resources that share a form of address (RFC 6570). */
export type ResourceTemplate = Described & {
  /** Null where it is not the same at every address. */
  mimeType: string | null;
  uriTemplate(live: Live): string;
  /** True when its resources hold records, so that an exhausted record quota refuses the read. */
  charged: boolean;
  /** The variables of an address of this form; null for any other address. */
  match(uri: string, live: Live): Record<string, string> | null;
  read(
    variables: Record<string, string>,
    context: ToolContext,
    uri: string,
  ): Promise<ResourceAnswer>;
  /** Names for what somebody has typed of a variable so far; `others` are the variables filled in. */
  complete(
    variable: string,
    typed: string,
    others: Record<string, string>,
    live: Live,
  ): Promise<string[]>;
};

/** The id in an address made by putting one into a template with `{id}`; null when it is not of that form. */
export function idIn(uri: string, template: string): string | null {
  const start = template.indexOf('{id}');
  if (start < 0 || !uri.startsWith(template.slice(0, start))) return null;
  const id = /^-?\d{1,16}/.exec(uri.slice(start))?.[0];
  return id !== undefined && template.replaceAll('{id}', id) === uri ? id : null;
}

/** The variables of an address such as `scheme://host/path?a=1`; null when it begins otherwise. */
export function queryIn(uri: string, address: string): Record<string, string> | null {
  const [start, query = ''] = [uri.slice(0, address.length), uri.slice(address.length)];
  if (start !== address || (query !== '' && !query.startsWith('?'))) return null;
  const filled = [...new URLSearchParams(query)].filter(([, value]) => value !== '');
  return Object.fromEntries(filled);
}

/** JSON content at an address. */
export function jsonContents(uri: string, value: unknown): ResourceContent[] {
  return [{ uri, mimeType: 'application/json', text: JSON.stringify(value) }];
}
