import type { ErrorCode } from '../domain/errors.ts';
import type { ServiceInfo } from '../domain/surface.ts';
import { errorResponses, type Json, jsonContent, optionsOperation, ref } from './openapi-parts.ts';
import { STATISTICS_HEADERS } from './openapi-responses.ts';

/** Returns the paths of the statistics API. */
export function statisticsPaths({ limits }: ServiceInfo): Json {
  return {
    '/api/public/v1/products/{productId}/stats': statsPath({
      operationId: 'getProductStats',
      summary: 'View, like and dislike counts of one product',
      description:
        'All recorded views of the product and its current reactions. The answer does not assert that the ' +
        'product exists: an ID that the catalog does not know has zero counts. ' +
        `At most ${limits.product_stats_requests_per_hour} requests per client and hour.`,
      parameter: 'ProductId',
      schema: 'ProductStats',
      invalidId: 'INVALID_PRODUCT_ID',
    }),
    '/api/public/v1/merchants/{merchantId}/stats': statsPath({
      operationId: 'getMerchantStats',
      summary: 'Rolling 24-hour view statistics of one merchant',
      description:
        'Views of the merchant’s products and offers in the 24 hours before the request, by signed-in users ' +
        'and by AI agents, compared with the latest daily snapshot (14:00 MSK). `comparisonDate` is left out ' +
        'until there is one. A merchant without activity has zero totals and empty tables. ' +
        `At most ${limits.merchant_stats_requests_per_hour} requests per client and hour.`,
      parameter: 'MerchantId',
      schema: 'MerchantStats',
      invalidId: 'INVALID_MERCHANT_ID',
    }),
  };
}

type StatsPath = {
  operationId: string;
  summary: string;
  description: string;
  parameter: string;
  schema: string;
  invalidId: ErrorCode;
};

function statsPath(path: StatsPath): Json {
  const parameter = ref('parameters', path.parameter);
  return {
    get: {
      operationId: path.operationId,
      tags: ['Statistics'],
      summary: path.summary,
      description: path.description,
      parameters: [parameter, ref('parameters', 'IfNoneMatch')],
      responses: {
        200: {
          description: 'The statistics',
          headers: STATISTICS_HEADERS,
          content: jsonContent(path.schema),
        },
        304: ref('responses', 'StatisticsNotModified'),
        ...errorResponses(
          path.invalidId,
          'METHOD_NOT_ALLOWED',
          'RATE_LIMIT_EXCEEDED',
          'INTERNAL_ERROR',
        ),
      },
    },
    options: optionsOperation(path.operationId, 'Statistics', { parameters: [parameter] }),
  };
}
