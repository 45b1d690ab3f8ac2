import { checkAnswer } from './description.ts';
import { serviceOrigins } from './service.ts';

// Every answer that a test fetches from a service is held to the API description: its status, content
// type, header fields and body. An answer that is not described fails the test that asked for it.
const plainFetch = globalThis.fetch;

globalThis.fetch = async (input, init) => {
  const request = input instanceof Request ? input : null;
  const url = new URL(request?.url ?? String(input));
  const response = await plainFetch(input, init);
  const local = url.href.replace('//localhost', '//127.0.0.1');
  const ours = [...serviceOrigins].some((origin) => new URL(local).origin === origin);
  if (!ours) return response;
  const method = (init?.method ?? request?.method ?? 'GET').toUpperCase();
  const faults = await checkAnswer(method, url.pathname, response.clone());
  if (faults.length > 0) {
    throw new Error(`${method} ${url.pathname} is not as described: ${faults.join('; ')}`);
  }
  return response;
};
