import { postRpc, toolCall } from '../../support/http.ts';
import { type Engine, RESULTS } from './engine.ts';

type Products = { name: string; match: string }[];

/** The service behind a URL, asked as agents ask it. */
export function vitrineAt(url: string): Engine {
  return {
    name: 'Vitrine',
    async search(query) {
      const call = toolCall('search_local_products', { query, limit: RESULTS });
      const { status, body } = await postRpc(url, call);
      const answer = body.result as { structuredContent?: { products?: Products } } | undefined;
      const products = answer?.structuredContent?.products;
      if (products === undefined) {
        const told = JSON.stringify(body).slice(0, 300);
        throw new Error(`${JSON.stringify(query)}: HTTP ${status}, ${told}`);
      }
      return products.map(({ name: title, match }) => ({ title, match }));
    },
  };
}
