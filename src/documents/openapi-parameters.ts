import { MAX_ID } from '../domain/ids.ts';
import type { ServiceInfo } from '../domain/surface.ts';
import type { Json } from './openapi-parts.ts';

const int64: Json = { type: 'integer', format: 'int64' };
const slug: Json = { type: 'string', pattern: '^[a-z0-9-]+$' };
const idSchema: Json = { ...int64, minimum: 1, maximum: MAX_ID };

/** Returns parameters shared by operations, as components. */
export function parameterComponents(info: ServiceInfo): Json {
  return {
    IfNoneMatch: {
      name: 'If-None-Match',
      in: 'header',
      required: false,
      description: 'The entity tag that the client has: answered with 304 while it is current',
      schema: { type: 'string' },
      example: '"abc"',
    },
    ProductId: pathParameter('productId', `Product ID, 1 to ${MAX_ID}`, idSchema, 10001),
    MerchantId: pathParameter('merchantId', `Merchant ID, 1 to ${MAX_ID}`, idSchema, 101),
    OfferPageId: pathParameter('id', 'The offer ID; negative for payment offers', int64, 50001),
    ...(info.productPages
      ? { ProductPageId: pathParameter('id', 'The product ID', { ...int64, minimum: 1 }, 10001) }
      : {}),
    CategoryId: pathParameter(
      'categoryId',
      'The category ID; 0 for products without a category',
      { ...int64, minimum: 0 },
      1,
    ),
    CitySlug: pathParameter('city', 'The city, as links name it', slug, 'sao-paulo'),
    DistrictSlug: pathParameter('district', 'The district, as links name it', slug, 'pinheiros'),
    ListPage: pathParameter('page', 'Which page, from 2', { type: 'integer', minimum: 2 }, 2),
    SitemapPart: pathParameter('part', 'Which part, from 1', { type: 'integer', minimum: 1 }, 1),
  };
}

function pathParameter(
  name: string,
  description: string,
  schema: Json,
  example: number | string,
): Json {
  return { name, in: 'path', required: true, description, schema, example };
}
