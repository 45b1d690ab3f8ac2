// The peers, as far as the benchmarks call them: types for when they are not installed.
declare module 'autocannon' {
  export default function autocannon(options: {
    url: string;
    connections: number;
    duration: number;
    overallRate?: number;
    requests: { setupRequest: (request: object) => object }[];
  }): Promise<{ non2xx: number; errors: number; requests: { average: number } }>;
}
declare module 'fastify' {
  export default function fastify(): {
    get(path: string, handler: (request: { params: { id: string } }) => Promise<unknown>): void;
    listen(at: { port: number; host: string }, ready: () => void): void;
  };
}
declare module 'sirv' {
  export default function sirv(
    folder: string,
    options: object,
  ): (
    request: import('node:http').IncomingMessage,
    response: import('node:http').ServerResponse,
  ) => void;
}
declare module '@orama/orama' {
  type Index = { readonly schema: object };
  export function create(options: { schema: object }): Index;
  export function insertMultiple(index: Index, rows: object[]): Promise<unknown>;
  export function search(index: Index, options: object): unknown;
}
