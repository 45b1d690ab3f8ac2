// Offers the record that a page is about to agents in the browser, by WebMCP where the browser has it:
//
//   <script type="module" src="https://…/vitrine-webmcp.js"></script>
//
// For pages of products and offers; the canonical link, or else the address, names the record. No page of
// the service loads it by itself. WebMCP is a draft (webmachinelearning.github.io/webmcp).

import { getOffer, getProduct } from './vitrine.js';
import { service } from './vitrine-service.js';

const KINDS = [
  { kind: 'product', template: service.product_url, get: getProduct },
  { kind: 'offer', template: service.offer_url, get: getOffer },
];

/** The id in an address that is a template with an id in it; null for any other address. */
function idIn(address, template) {
  const id = Number.parseInt(address.slice(template.indexOf('{id}')), 10);
  return template.replaceAll('{id}', String(id)) === address ? id : null;
}

/** The tool that reads one record anew: it is charged, and counted as seen, like the catalog server's. */
function toolOf(kind, id, get) {
  return {
    name: `get_this_${kind}`,
    title: `Get this ${kind}`,
    description: `Returns the ${kind} that this page is about, as ${service.name} knows it now: details, price, stores and its link.`,
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    // Titles and descriptions are the merchants' own words.
    annotations: { readOnlyHint: true, untrustedContentHint: true },
    async execute() {
      try {
        const answer = await get(id);
        const content = [{ type: 'text', text: answer.answer_markdown }];
        return { content, structuredContent: answer };
      } catch ({ message, resolution }) {
        const text = [message, resolution].filter(Boolean).join('. ');
        return { isError: true, content: [{ type: 'text', text }] };
      }
    },
  };
}

const modelContext = document.modelContext ?? navigator.modelContext;
const address = document.querySelector('link[rel=canonical]')?.href ?? location.href;
for (const { kind, template, get } of modelContext === undefined ? [] : KINDS) {
  const id = idIn(address, template);
  if (id !== null) await modelContext.registerTool(toolOf(kind, id, get));
}
