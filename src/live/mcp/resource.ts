import type { Live } from '../live.ts';
import type { ToolContext } from './define-tool.ts';

/** Names per completion: enough to choose from, too few to enumerate the catalog. */
export const MAX_COMPLETIONS = 10;

/** The text or base64 content of a resource. */
export type ResourceContent = { uri: string; mimeType: string } & (
  | { text: string }
  | { blob: string }
);

/** The result of reading a resource; null if there is none at the URI. */
export type ResourceAnswer = {
  contents: ResourceContent[];
  /** Number of product and offer records, charged to the shared record quota. */
  records: number;
} | null;

/** How the lists describe a resource or template. */
type Described = { name: string; title: string; description: string };

/** A resource at a fixed URI. */
export type Resource = Described & {
  mimeType: string;
  uri(live: Live): string;
  read(context: ToolContext): Promise<ResourceAnswer>;
};

/** Resources that share a URI template (RFC 6570). */
export type ResourceTemplate = Described & {
  /** Null if it depends on the URI. */
  mimeType: string | null;
  uriTemplate(live: Live): string;
  /** Whether its resources contain records, so that an exhausted record quota refuses the read. */
  charged: boolean;
  /** Returns the variables of a URI; null if it does not match. */
  match(uri: string, live: Live): Record<string, string> | null;
  read(
    variables: Record<string, string>,
    context: ToolContext,
    uri: string,
  ): Promise<ResourceAnswer>;
  /** Completes what was typed of a variable; `others` are the variables filled in already. */
  complete(
    variable: string,
    typed: string,
    others: Record<string, string>,
    live: Live,
  ): Promise<string[]>;
};

/** Extracts the id of a URI by a template with `{id}`; null if it does not match. */
export function idIn(uri: string, template: string): string | null {
  const start = template.indexOf('{id}');
  if (start < 0 || !uri.startsWith(template.slice(0, start))) return null;
  const id = /^-?\d{1,16}/.exec(uri.slice(start))?.[0];
  return id !== undefined && template.replaceAll('{id}', id) === uri ? id : null;
}

/** Extracts the query variables of a URI with a given base, without empty ones; null for any other base. */
export function queryIn(uri: string, address: string): Record<string, string> | null {
  const [start, query = ''] = [uri.slice(0, address.length), uri.slice(address.length)];
  if (start !== address || (query !== '' && !query.startsWith('?'))) return null;
  const filled = [...new URLSearchParams(query)].filter(([, value]) => value !== '');
  return Object.fromEntries(filled);
}

/** Makes JSON content at a URI. */
export function jsonContents(uri: string, value: unknown): ResourceContent[] {
  return [{ uri, mimeType: 'application/json', text: JSON.stringify(value) }];
}
