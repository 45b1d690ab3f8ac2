type Node = { [key: string]: unknown };

/** A parameter or field. */
export type Field = { name: string; type: string; required: boolean; description: string };

/** An example request or answer. */
export type Example = { title: string; text: string };

/** An answer of an operation. */
export type Answer = {
  status: string;
  description: string;
  type: string | null;
  schema: string | null;
  headers: string[];
  examples: Example[];
};

/** An operation of the API. */
export type Operation = {
  id: string;
  method: string;
  path: string;
  /** The path without its common prefix, for lists. */
  short: string;
  summary: string;
  description: string | null;
  parameters: Field[];
  /** A curl command; null where a browser is the usual client. */
  command: string | null;
  requests: Example[];
  answers: Answer[];
};

/** The content of the reference page. */
export type Reference = {
  title: string;
  version: string;
  server: string;
  /** `isCalled`: endpoints for programs, not documents or pages. */
  groups: { name: string; description: string; isCalled: boolean; operations: Operation[] }[];
  /** Schemas of the REST endpoints. */
  schemas: { name: string; fields: Field[] }[];
  headers: Field[];
};

/** A tool of the catalog server. */
export type ToolReference = {
  name: string;
  title: string;
  description: string;
  input: Field[];
  output: Field[];
  /** An example call, as JSON. */
  example: string | null;
};

/** Groups of endpoints for programs, shown with commands. */
const CALLED = ['Statistics', 'Catalog'];
/** Schemas of the REST endpoints; those of tools are shown with the tools. */
const ANSWERS = /^(Error|ProductStats|Merchant\w+|ActivityComparison)$/;
const METHODS = ['get', 'post'];
/** Shown once on the page. */
const ON_EVERY_ANSWER = [
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'Cache-Control',
];

/** Converts an OpenAPI 3.0 description to the content of the reference page. */
export function referenceOf(description: Node): Reference {
  const info = description.info as { title: string; version: string };
  const [server] = description.servers as { url: string }[];
  const components = description.components as Record<string, Record<string, Node>>;
  const operations = Object.entries(description.paths as Record<string, Node>).flatMap(
    ([path, item]) =>
      METHODS.filter((method) => method in item).map((method) => {
        const operation = resolve(item[method], description) as Node;
        return {
          tag: (operation.tags as string[])[0],
          ...operationOf(operation, method, path),
          command: commandOf(operation, method, (server?.url ?? '') + path),
        };
      }),
  );
  return {
    title: info.title,
    version: info.version,
    server: server?.url ?? '',
    groups: (description.tags as { name: string; description: string }[]).map((tag) => ({
      ...tag,
      isCalled: CALLED.includes(tag.name),
      operations: operations.filter((operation) => operation.tag === tag.name),
    })),
    schemas: Object.entries(components.schemas ?? {})
      .filter(([name]) => ANSWERS.test(name))
      .map(([name, schema]) => ({ name, fields: fieldsOf(schema) })),
    headers: Object.entries(components.headers ?? {}).map(([name, header]) =>
      fieldOf(name, { ...(header.schema as Node), description: header.description }, false),
    ),
  };
}

/** Converts the tools of tools/list, with example calls from the API description. */
export function toolReferences(tools: ListedTool[], { groups }: Reference): ToolReference[] {
  const calls = groups.flatMap(({ operations }) => operations).flatMap(({ requests }) => requests);
  return tools.map(({ name, title, description, inputSchema, outputSchema }) => ({
    ...{ name, title, description },
    input: fieldsOf(inputSchema),
    output: fieldsOf(outputSchema),
    example: calls.find(({ text }) => text.includes(`"name": "${name}"`))?.text ?? null,
  }));
}

type ListedTool = {
  name: string;
  title: string;
  description: string;
  inputSchema: Node;
  outputSchema: Node;
};

/** Resolves references in a part of the description, except to schemas. */
function resolve(part: unknown, description: Node): unknown {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map((item) => resolve(item, description));
  const { $ref: reference } = part as Node;
  if (typeof reference !== 'string') {
    const entries = Object.entries(part).map(([key, value]) => [key, resolve(value, description)]);
    return Object.fromEntries(entries);
  }
  if (reference.startsWith('#/components/schemas/')) return part;
  const keys = reference.slice(2).split('/');
  return resolve(
    keys.reduce((found, key) => found[key] as Node, description),
    description,
  );
}

function operationOf(operation: Node, method: string, path: string): Omit<Operation, 'command'> {
  const body = operation.requestBody as { content: Record<string, Node> } | undefined;
  // Common to all operations: the page explains conditional requests once.
  const parameters = ((operation.parameters ?? []) as Node[]).filter(
    ({ name }) => name !== 'If-None-Match',
  );
  return {
    id: String(operation.operationId),
    method: method.toUpperCase(),
    path,
    short: path.replace(/^\/api\/public\/v1/, ''),
    summary: String(operation.summary),
    description: (operation.description as string | undefined) ?? null,
    parameters: parameters.map((parameter) => ({
      ...fieldOf(String(parameter.name), parameter.schema as Node, parameter.required === true),
      description: `${parameter.description} (${parameter.in})`,
    })),
    requests: Object.values(body?.content ?? {}).flatMap(examplesOf),
    answers: Object.entries(operation.responses as Record<string, Node>).map(([status, response]) =>
      answerOf(status, response),
    ),
  };
}

/** Makes a curl command from the examples of an operation. */
function commandOf(operation: Node, method: string, url: string): string | null {
  if (!CALLED.includes((operation.tags as string[])[0] ?? '')) return null;
  const parameters = (operation.parameters ?? []) as Node[];
  const given = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const filled = given('path').reduce(
    (address, { name, example }) => address.replace(`{${name}}`, String(example)),
    url,
  );
  const query = given('query').map(({ name, example }) => `${name}=${example}`);
  const address = query.length === 0 ? filled : `'${filled}?${query.join('&')}'`;
  if (method === 'get') return `curl ${address}`;
  const { content } = operation.requestBody as { content: Record<string, Node> };
  const [type, media] = Object.entries(content)[0] ?? [];
  const [example] = Object.values((media?.examples ?? {}) as Record<string, Node>);
  const fields = `-H 'Content-Type: ${type}' -H 'Accept: ${type}'`;
  return `curl ${address} ${fields} \\\n  -d '${JSON.stringify(example?.value)}'`;
}

function answerOf(status: string, response: Node): Answer {
  const [content] = Object.entries((response.content ?? {}) as Record<string, Node>);
  const type = content?.[0] ?? null;
  const media: Node = content?.[1] ?? {};
  return {
    status,
    description: String(response.description),
    type,
    schema: schemaName((media.schema ?? {}) as Node),
    headers: Object.keys((response.headers ?? {}) as Node).filter(
      (name) => !ON_EVERY_ANSWER.includes(name),
    ),
    examples: examplesOf(media),
  };
}

function examplesOf(media: Node): Example[] {
  const examples = Object.values((media.examples ?? {}) as Record<string, Node>);
  return examples.map(({ summary = 'Example', value }) => ({
    title: String(summary),
    text: JSON.stringify(value, null, 2),
  }));
}

function fieldsOf(schema: Node): Field[] {
  const required = (schema.required ?? []) as string[];
  return Object.entries((schema.properties ?? {}) as Record<string, Node>).map(([name, property]) =>
    fieldOf(name, property, required.includes(name)),
  );
}

function fieldOf(name: string, schema: Node, required: boolean): Field {
  return { name, type: typeOf(schema), required, description: String(schema.description ?? '') };
}

/** Describes a type: "integer, 1 to 20", "array of ProductRecord", "string or null". */
function typeOf(schema: Node): string {
  const named = schemaName(schema);
  if (named !== null) return named;
  const [only] = (schema.allOf ?? []) as Node[];
  if (only !== undefined) return typeOf(only);
  const nullable = schema.nullable === true ? ' or null' : '';
  const choices = (schema.anyOf ?? schema.oneOf) as Node[] | undefined;
  if (choices !== undefined) return choices.map(typeOf).join(' or ') + nullable;
  const values = schema.enum as unknown[] | undefined;
  if (values !== undefined) {
    return values.map((value) => JSON.stringify(value)).join(' or ') + nullable;
  }
  if (schema.type === 'array') return `array of ${typeOf(schema.items as Node)}${nullable}`;
  if (schema.type === 'object') {
    const names = Object.keys((schema.properties ?? {}) as Node);
    return `object${names.length > 0 ? ` {${names.join(', ')}}` : ''}${nullable}`;
  }
  return `${schema.type}${rangeOf(schema)}${nullable}`;
}

/** Describes the bounds of a number, without those of safe integers. */
function rangeOf({ minimum, maximum }: Node): string {
  const least = minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? null : minimum;
  const most = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? null : maximum;
  if (least === null) return most === null ? '' : `, at most ${most}`;
  return most === null ? `, at least ${least}` : `, ${least} to ${most}`;
}

function schemaName(schema: Node): string | null {
  return typeof schema.$ref === 'string' ? (schema.$ref.split('/').at(-1) ?? null) : null;
}
