import autocannon from 'autocannon';

/**
 * Requests a second over some seconds, 64 connections, as many as go or so many a second; `path` gives each
 * request its path.
 */
export async function throughput(
  url: string,
  seconds: number,
  path: () => string,
  perSecond?: number,
): Promise<number> {
  const result = await autocannon({
    url,
    connections: 64,
    duration: seconds,
    ...(perSecond === undefined ? {} : { overallRate: perSecond }),
    requests: [{ setupRequest: (request: object) => ({ ...request, path: path() }) }],
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} errors`);
  }
  return result.requests.average;
}
