import type { z } from 'zod';
import { offerSearchSchema, productSearchSchema } from '../../src/domain/records.ts';
import { callTool } from './http.ts';

/** Calls a tool and checks its structured answer against the wire schema. */
export async function ask<Schema extends z.ZodType>(
  url: string,
  schema: Schema,
  tool: string,
  args: Record<string, unknown>,
): Promise<z.infer<Schema>> {
  const { isError, structuredContent, content } = await callTool(url, tool, args);
  if (isError) throw new Error(content[0]?.text);
  return schema.parse(structuredContent);
}

/** Searches products; the answer is checked against the wire schema. */
export const searchProducts = (url: string, args: Record<string, unknown>) =>
  ask(url, productSearchSchema, 'search_local_products', args);

/** Searches offers; the answer is checked against the wire schema. */
export const searchOffers = (url: string, args: Record<string, unknown>) =>
  ask(url, offerSearchSchema, 'search_local_offers', args);
