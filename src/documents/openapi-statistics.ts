import type { ErrorCode } from '../domain/errors.ts';
import { MAX_ID } from '../domain/ids.ts';
import type { ServiceInfo } from '../domain/surface.ts';
import { merchantStatsExample, productStatsExample } from './openapi-examples.ts';
import {
  errorResponses,
  headers,
  ifNoneMatch,
  type Json,
  jsonContent,
  notModified,
  optionsOperation,
  pathParameter,
  ref,
} from './openapi-parts.ts';

/** The paths of the statistics API. */
export function statisticsPaths({ limits }: ServiceInfo): Json {
  return {
    '/api/public/v1/products/{productId}/stats': statsPath({
      operationId: 'getProductStats',
      summary: 'View, like and dislike counts of one product',
      description:
        'All recorded views of the product and its current reactions. The answer does not assert that the ' +
        'product exists: an ID that the catalog does not know has zero counts. ' +
        `At most ${limits.product_stats_requests_per_hour} requests per client and hour.`,
      parameter: pathParameter('productId', `Product ID, 1 to ${MAX_ID}`, idSchema, 10001),
      schema: 'ProductStats',
      invalidId: 'INVALID_PRODUCT_ID',
      example: productStatsExample,
    }),
    '/api/public/v1/merchants/{merchantId}/stats': statsPath({
      operationId: 'getMerchantStats',
      summary: 'Rolling 24-hour view statistics of one merchant',
      description:
        'Views of the merchant’s products and offers in the 24 hours before the request, by signed-in users ' +
        'and by AI agents, compared with the latest daily snapshot (14:00 MSK). `comparisonDate` is left out ' +
        'until there is one. A merchant without activity has zero totals and empty tables. ' +
        `At most ${limits.merchant_stats_requests_per_hour} requests per client and hour.`,
      parameter: pathParameter('merchantId', `Merchant ID, 1 to ${MAX_ID}`, idSchema, 101),
      schema: 'MerchantStats',
      invalidId: 'INVALID_MERCHANT_ID',
      example: merchantStatsExample,
    }),
  };
}

const idSchema: Json = { type: 'integer', format: 'int64', minimum: 1, maximum: MAX_ID };

type StatsPath = {
  operationId: string;
  summary: string;
  description: string;
  parameter: Json;
  schema: string;
  invalidId: ErrorCode;
  example: unknown;
};

function statsPath(path: StatsPath): Json {
  const fields = headers('ETag', 'Age', 'CDN-Cache-Control');
  return {
    get: {
      operationId: path.operationId,
      tags: ['Statistics'],
      summary: path.summary,
      description: path.description,
      parameters: [path.parameter, ifNoneMatch],
      responses: {
        200: {
          description: 'The statistics',
          headers: fields,
          content: jsonContent(ref('schemas', path.schema), path.example),
        },
        ...notModified(fields),
        ...errorResponses(
          path.invalidId,
          'METHOD_NOT_ALLOWED',
          'RATE_LIMIT_EXCEEDED',
          'INTERNAL_ERROR',
        ),
      },
    },
    options: optionsOperation(path.operationId, 'Statistics', { parameters: [path.parameter] }),
  };
}
