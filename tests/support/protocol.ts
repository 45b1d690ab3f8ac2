import { z } from 'zod';

// The shapes of MCP 2025-06-18, for what this server sends, written from its published schema. That one
// lets most objects have more members; here they are closed, so that nothing of another version slips in.

const meta = { _meta: z.record(z.string(), z.unknown()).optional() };

const annotations = z
  .strictObject({
    audience: z.array(z.enum(['user', 'assistant'])),
    priority: z.number().min(0).max(1),
    lastModified: z.iso.datetime(),
  })
  .partial();

/** What resources, their templates and links to them are described by. */
const described = {
  name: z.string().min(1),
  title: z.string().optional(),
  description: z.string().optional(),
  mimeType: z.string().optional(),
  annotations: annotations.optional(),
  ...meta,
};

const resource = { ...described, uri: z.url(), size: z.int().optional() };

const objectSchema = z.looseObject({
  type: z.literal('object'),
  properties: z.record(z.string(), z.looseObject({})).optional(),
  required: z.array(z.string()).optional(),
});

const tool = z.strictObject({
  name: z.string().min(1),
  title: z.string().optional(),
  description: z.string().optional(),
  inputSchema: objectSchema,
  outputSchema: objectSchema.optional(),
  annotations: z
    .strictObject({
      title: z.string(),
      readOnlyHint: z.boolean(),
      destructiveHint: z.boolean(),
      idempotentHint: z.boolean(),
      openWorldHint: z.boolean(),
    })
    .partial()
    .optional(),
  ...meta,
});

const contentBlock = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('text'),
    text: z.string(),
    annotations: annotations.optional(),
    ...meta,
  }),
  z.strictObject({ type: z.literal('resource_link'), ...resource }),
]);

/**
 * A later version gave a server an address and icons; older clients pass over them. They are the only
 * members here that 2025-06-18 does not name.
 */
const sinceThen = {
  websiteUrl: z.url(),
  icons: z.array(
    z.strictObject({ src: z.url(), mimeType: z.string(), sizes: z.array(z.string()) }),
  ),
};

const listChanged = z.strictObject({ listChanged: z.boolean().optional() });

/** What each method that the server knows answers. */
export const RESULTS = {
  initialize: z.strictObject({
    protocolVersion: z.enum(['2025-06-18', '2025-03-26']),
    capabilities: z.strictObject({
      tools: listChanged.optional(),
      resources: listChanged.extend({ subscribe: z.boolean().optional() }).optional(),
      completions: z.strictObject({}).optional(),
    }),
    serverInfo: z.strictObject({
      name: z.string().min(1),
      title: z.string().optional(),
      version: z.string().min(1),
      ...sinceThen,
    }),
    instructions: z.string().optional(),
    ...meta,
  }),
  ping: z.strictObject(meta),
  'tools/list': z.strictObject({
    tools: z.array(tool),
    nextCursor: z.string().optional(),
    ...meta,
  }),
  'tools/call': z.strictObject({
    content: z.array(contentBlock),
    structuredContent: z.record(z.string(), z.unknown()).optional(),
    isError: z.boolean().optional(),
    ...meta,
  }),
  'resources/list': z.strictObject({
    resources: z.array(z.strictObject(resource)),
    nextCursor: z.string().optional(),
    ...meta,
  }),
  'resources/templates/list': z.strictObject({
    resourceTemplates: z.array(z.strictObject({ ...described, uriTemplate: z.string().min(1) })),
    nextCursor: z.string().optional(),
    ...meta,
  }),
  'resources/read': z.strictObject({
    contents: z.array(
      z.strictObject({
        uri: z.url(),
        mimeType: z.string().optional(),
        text: z.string(),
        ...meta,
      }),
    ),
    ...meta,
  }),
  'completion/complete': z.strictObject({
    completion: z.strictObject({
      values: z.array(z.string()).max(100),
      total: z.int().optional(),
      hasMore: z.boolean().optional(),
    }),
    ...meta,
  }),
};

/** A method that the server knows. */
export type Method = keyof typeof RESULTS;

const requestId = z.union([z.string(), z.int()]);

/** A whole answer to a request: with the result of its method, or with a fault of the protocol. */
export const answerSchema = (result: z.ZodType) =>
  z.strictObject({ jsonrpc: z.literal('2.0'), id: requestId, result });

export const errorAnswerSchema = z.strictObject({
  jsonrpc: z.literal('2.0'),
  id: requestId,
  error: z.strictObject({ code: z.int(), message: z.string(), data: z.unknown().optional() }),
});
