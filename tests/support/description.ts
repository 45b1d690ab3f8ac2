import { Ajv } from 'ajv';
import { openApi } from '../../src/documents/openapi.ts';
import { makeLinks } from '../../src/domain/links.ts';
import type { ServiceInfo } from '../../src/domain/surface.ts';

type Described = { required?: boolean };
type Example = { value: unknown };
type Media = { schema: object; examples?: Record<string, Example> };
type DescribedResponse = { headers?: Record<string, Described>; content?: Record<string, Media> };
type Operation = {
  requestBody?: DescribedResponse;
  responses: Record<string, DescribedResponse>;
};

const info: ServiceInfo = {
  name: 'Vitrine',
  baseUrl: 'https://vitrine.test',
  defaultCity: 'São Paulo',
  productPages: true,
  limits: {
    product_stats_requests_per_hour: 600,
    merchant_stats_requests_per_hour: 600,
    catalog_records_per_minute: 40,
    mcp_requests_per_minute: 120,
    records_per_search: 20,
    showcase_records: 20,
  },
};
/** The API description of a service with the defaults. */
export const description = openApi(info, makeLinks(info.baseUrl, null));
const paths = description.paths as Record<string, Record<string, Operation>>;
const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema(description, 'description');

/** Header fields that tell a client what to do: where one is sent, it is described. */
const TELLING = [
  ...[
    'retry-after',
    'ratelimit',
    'ratelimit-policy',
    'etag',
    'last-modified',
    'age',
    'vary',
    'allow',
    'content-usage',
  ],
  ...['link', 'content-range', 'cdn-cache-control', 'access-control-expose-headers'],
  'access-control-allow-methods',
];

/** Follows a reference within the description; the pointer it was found at is kept for Ajv. */
function follow<T>(value: T): T {
  const reference = (value as { $ref?: string }).$ref;
  if (reference === undefined) return value;
  const keys = reference.slice(2).split('/');
  return keys.reduce(
    (node, key) => (node as Record<string, never>)[key] as never,
    description,
  ) as T;
}

// The more of a path a template spells out, the better it fits.
const templates = Object.keys(paths)
  .sort((a, b) => b.length - a.length)
  .map((template) => ({
    template,
    pattern: new RegExp(
      `^${template.replace(/[.*+?^$|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]*')}$`,
    ),
  }));

/** How an answer differs from the description of its path; nothing when it is as described. */
export async function checkAnswer(
  method: string,
  path: string,
  response: Response,
): Promise<string[]> {
  const { template } = templates.find(({ pattern }) => pattern.test(path)) ?? {};
  const item = template === undefined ? undefined : paths[template];
  const operation = item?.[(method === 'HEAD' ? 'get' : method).toLowerCase()];
  const described = operation?.responses[response.status];
  const bodyless = method === 'HEAD';
  if (described === undefined) return checkUndescribed(operation, response, bodyless);
  return checkResponse(follow(described), response, bodyless);
}

/** What no path describes is a fault of the caller: a page for people, or the one error body. */
async function checkUndescribed(
  operation: Operation | undefined,
  response: Response,
  bodyless: boolean,
) {
  if (operation !== undefined && ![400, 431].includes(response.status)) {
    return [`status ${response.status} is not described`];
  }
  const page = response.headers.get('content-type')?.startsWith('text/html') ?? false;
  if (response.status < 400 || page) return [];
  const error = { content: { 'application/json': { schema: schemaOf('Error') } } };
  return checkResponse(error, response, bodyless);
}

const schemaOf = (name: string) => ({ $ref: `#/components/schemas/${name}` });

async function checkResponse(
  described: DescribedResponse,
  response: Response,
  bodyless: boolean,
): Promise<string[]> {
  const faults: string[] = [];
  const names = Object.keys(described.headers ?? {}).map((name) => name.toLowerCase());
  for (const [name, header] of Object.entries(described.headers ?? {})) {
    if (follow(header).required && !response.headers.has(name)) faults.push(`lacks ${name}`);
  }
  for (const name of described.headers === undefined ? [] : TELLING) {
    if (response.headers.has(name) && !names.includes(name)) faults.push(`has ${name}`);
  }
  const text = await response.text();
  if (bodyless) return faults;
  const type = response.headers.get('content-type')?.replace(/;.*/, '') ?? '';
  if (described.content === undefined) return text === '' ? faults : [...faults, 'has a body'];
  const media = described.content[type];
  if (media === undefined) return [...faults, `content type ${type} is not described`];
  if (!/json$/.test(type)) return faults;
  return [...faults, ...checkBody(media.schema, JSON.parse(text))];
}

function checkBody(schema: object, body: unknown): string[] {
  const { $ref: reference } = schema as { $ref?: string };
  const validate =
    reference === undefined ? ajv.compile(schema) : ajv.getSchema(`description${reference}`);
  if (validate === undefined) return [`no schema ${reference}`];
  validate(body);
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `body${instancePath} ${message}`,
  );
}

/** The examples of bodies that do not stand once and are not referred to once. */
export function repeatedExamples(): string[] {
  const text = JSON.stringify(description);
  const count = (part: unknown) => text.split(JSON.stringify(part)).length - 1;
  const { examples } = description.components as { examples: Record<string, Example> };
  return Object.entries(examples)
    .filter(([name, { value }]) => count(value) !== 1 || count(exampleOf(name)) !== 1)
    .map(([name]) => name);
}

const exampleOf = (name: string) => ({ $ref: `#/components/examples/${name}` });

/** What is wrong with the examples of parameters and header fields. */
export function fieldExampleFaults(part: unknown = description): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const { schema, example } = part as { schema?: object; example?: unknown };
  const faults = schema === undefined || example === undefined ? [] : checkBody(schema, example);
  return [
    ...faults.map((fault) => `${JSON.stringify(example)}: ${fault}`),
    ...Object.values(part).flatMap((child) => fieldExampleFaults(child)),
  ];
}

/** What is wrong with the examples of JSON bodies, and where there is none. */
export function exampleFaults(): string[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { requestBody, responses }]) => {
      const bodies = [requestBody ?? {}, ...Object.values(responses).map(follow)];
      return bodies.flatMap(({ content = {} }) =>
        Object.entries(content)
          // That of the description would be the description.
          .filter(([type]) => /json$/.test(type) && path !== '/openapi.json')
          .flatMap(([, media]) => mediaFaults(media).map((fault) => `${method} ${path}: ${fault}`)),
      );
    }),
  );
}

function mediaFaults({ schema, examples = {} }: Media): string[] {
  const values = Object.values(examples).map((example) => follow(example).value);
  return values.length === 0 ? ['no example'] : values.flatMap((value) => checkBody(schema, value));
}
