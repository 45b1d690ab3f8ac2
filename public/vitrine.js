// Statistics and catalog of this service for web pages and Node. Types: vitrine.d.ts beside this file.
//
//   import { productStats, searchProducts } from 'https://…/vitrine.js';
//
// Identical calls in flight share one request. A wait that the service asks for (Retry-After) is waited
// out when it is short, and otherwise told in the error; until it is over no other request leaves.

/** Waits up to this long are waited out, once for each call. */
const PATIENCE_SECONDS = 5;

/** A fault that the service told, or that kept it from answering. */
export class VitrineError extends Error {
  constructor(message, { code, status = 0, resolution = '', retryAfter = null, cause } = {}) {
    super(message, { cause });
    this.name = 'VitrineError';
    this.code = code;
    this.status = status;
    this.resolution = resolution;
    this.retryAfter = retryAfter;
  }
}

/** How long caches may keep each answer, in seconds. */
const lifetimes = new WeakMap();

/** Seconds for which caches may show a statistics answer, from when it came; 0 for any other. */
export function freshSeconds(answer) {
  return lifetimes.get(answer) ?? 0;
}

function remember(answer, headers) {
  const maxAge = Number(/max-age=(\d+)/.exec(headers.get('cache-control') ?? '')?.[1] ?? 0);
  // To a script of another origin the browser does not show Age: it takes the answer for new.
  const left = maxAge - Number(headers.get('age') ?? 0);
  lifetimes.set(answer, Math.max(0, left));
}

/** The functions of the service at an address, such as "https://vitrine.example". */
export function connect(baseUrl) {
  const base = baseUrl.replace(/\/+$/, '');
  const inFlight = new Map();
  /** When requests of a kind may leave again, in milliseconds of the page's clock. */
  const pausedUntil = new Map();

  async function waitOut(kind, signal) {
    const waiting = (pausedUntil.get(kind) ?? 0) - performance.now();
    if (waiting <= 0) return;
    const seconds = Math.ceil(waiting / 1000);
    if (seconds > PATIENCE_SECONDS) throw limited(seconds);
    await pause(waiting, signal);
  }

  async function request(kind, url, init) {
    for (let attempt = 1; ; attempt += 1) {
      await waitOut(kind, init.signal);
      const response = await fetch(url, init).catch((cause) => {
        if (init.signal.aborted) throw init.signal.reason;
        throw new VitrineError('The service did not answer', { code: 'UNREACHABLE', cause });
      });
      const body = await response.json().catch(() => null);
      if (response.ok && typeof body === 'object' && body !== null) {
        remember(body, response.headers);
        return body;
      }
      const retryAfter = Number(response.headers.get('retry-after')) || null;
      if (retryAfter !== null) pausedUntil.set(kind, performance.now() + retryAfter * 1000);
      if (retryAfter === null || retryAfter > PATIENCE_SECONDS || attempt > 1) {
        throw new VitrineError(
          body?.message ?? `No answer that could be read (${response.status})`,
          {
            code: body?.code ?? 'UNEXPECTED_ANSWER',
            status: response.status,
            resolution: body?.resolution,
            retryAfter,
          },
        );
      }
    }
  }

  /** Shares a request among callers; it ends early when each of them has given up. */
  function share(kind, path, body, signal) {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const key = path + (body ?? '');
    let shared = inFlight.get(key);
    if (shared === undefined) {
      const controller = new AbortController();
      const headers = { accept: 'application/json' };
      const init = { headers, signal: controller.signal };
      if (body !== undefined) {
        Object.assign(headers, {
          'content-type': 'application/json',
          'mcp-protocol-version': '2025-06-18',
        });
        Object.assign(init, { method: 'POST', body });
      }
      const forget = () => inFlight.get(key) === shared && inFlight.delete(key);
      const answer = request(kind, base + path, init).finally(forget);
      shared = { answer, controller, forget, callers: 0 };
      inFlight.set(key, shared);
    }
    shared.callers += 1;
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        reject(signal.reason);
        shared.callers -= 1;
        if (shared.callers > 0) return;
        shared.forget();
        shared.controller.abort(signal.reason);
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      shared.answer
        .then(resolve, reject)
        .finally(() => signal?.removeEventListener('abort', giveUp));
    });
  }

  const stats = (kind) => (id, options) =>
    share(
      kind,
      `/api/public/v1/${kind}/${encodeURIComponent(id)}/stats`,
      undefined,
      options?.signal,
    );

  async function callTool(name, args, options) {
    const params = { name, arguments: args };
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const { result, error } = await share('mcp', '/mcp', message, options?.signal);
    if (result?.structuredContent) return result.structuredContent;
    // A fault without a result is one of the protocol; the tools begin each text on arguments alike.
    const text = result?.content?.[0]?.text ?? error?.message ?? 'No answer that could be read';
    const refused = text.startsWith('Invalid arguments') ? 'INVALID_ARGUMENTS' : 'NOT_FOUND';
    throw new VitrineError(text, { code: result ? refused : 'PROTOCOL_ERROR', status: 200 });
  }

  return {
    productStats: stats('products'),
    merchantStats: stats('merchants'),
    searchProducts: (args, options) => callTool('search_local_products', args, options),
    searchOffers: (args, options) => callTool('search_local_offers', args, options),
    getProduct: (id, options) => callTool('get_product', { product_id: id }, options),
    getOffer: (id, options) => callTool('get_offer', { offer_id: id }, options),
  };
}

function limited(seconds) {
  return new VitrineError('Rate limit exceeded', {
    code: 'RATE_LIMIT_EXCEEDED',
    status: 429,
    resolution: `Wait ${seconds} s, then retry`,
    retryAfter: seconds,
  });
}

function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', stop, { once: true });
  });
}

/** The functions of the service that this module came from. */
export const { productStats, merchantStats, searchProducts, searchOffers, getProduct, getOffer } =
  connect(new URL('.', import.meta.url).href);
