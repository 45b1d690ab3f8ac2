import { describe, expect, it } from 'vitest';
import { callTool } from '../support/http.ts';
import { sharedService } from '../support/service.ts';

const { url } = sharedService();

/** A call of a conversation: what the user said, and arguments derived from earlier answers. */
type Turn = {
  person: string;
  tool: string;
  arguments: (read: string[]) => Record<string, unknown>;
};

const turn = (person: string, tool: string, args: Turn['arguments'] | object): Turn => ({
  person,
  tool,
  arguments: typeof args === 'function' ? (args as Turn['arguments']) : () => ({ ...args }),
});
/** What the model copies out of the last text, or out of an earlier one. */
const copy = (read: string[], form: RegExp, back = 1): string => {
  const found = form.exec(read.at(-back) ?? '')?.[1];
  if (found === undefined) throw new Error(`the text does not say ${form}:\n${read.at(-back)}`);
  return found;
};
const id = (read: string[], place = 1, back = 1) =>
  Number(copy(read, new RegExp(`^${place}\\. .*\\n\\s+id (-?\\d+)`, 'm'), back));

const CONVERSATIONS: Record<string, Turn[]> = {
  search: [
    turn('¿Dónde compro zapatillas para correr?', 'search_local_products', {
      query: 'zapatillas para correr',
      limit: 3,
    }),
  ],
  details: [
    turn('Tem lasanha em promoção?', 'search_local_offers', { query: 'lasanha', limit: 2 }),
    turn('Vale na sexta?', 'get_offer', (read) => ({ offer_id: id(read) })),
  ],
  compare: [
    turn('Compare two running shoes for me', 'search_local_products', {
      query: 'running shoes',
      limit: 2,
    }),
    turn('(the first)', 'get_product', (read) => ({ product_id: id(read) })),
    turn('(the second)', 'get_product', (read) => ({ product_id: id(read, 2, 2) })),
  ],
  nearby: [
    turn('Pharmacy near me, I am at Paulista with MASP', 'search_local_products', {
      query: 'farmácia dipirona',
      latitude: -23.5614,
      longitude: -46.6559,
      radius_meters: 3000,
      sort: 'distance',
      limit: 3,
    }),
  ],
  'wrong-id': [
    turn('Show me product 50001', 'get_product', { product_id: 50001 }),
    turn('(as told)', 'get_offer', (read) => ({
      offer_id: Number(copy(read, /(\d+) is an offer/)),
    })),
  ],
  'wrong-district': [
    turn('Sushi in Pinhairos', 'search_local_products', { query: 'sushi', district: 'Pinhairos' }),
    turn('(the closest name)', 'search_local_products', (read) => ({
      query: 'sushi',
      district: copy(read, /Close known names: ([^,.]+)/),
      limit: 2,
    })),
  ],
  merchant: [
    turn('What does Cantina Dona Zulmira have?', 'search_local_products', {
      merchant: 'Cantina Dona Zulmira',
      limit: 3,
    }),
    turn('Where is it?', 'get_product', (read) => ({ product_id: id(read) })),
    turn('Any deals there?', 'search_local_offers', (read) => ({
      merchant_id: Number(copy(read, /\(merchant id (\d+)\)/)),
      limit: 2,
    })),
  ],
  place: [
    turn('farmácia em Copacabana', 'search_local_products', {
      query: 'farmácia em Copacabana',
      limit: 1,
    }),
    turn('(as told)', 'search_local_products', (read) => ({
      query: 'farmácia',
      city: copy(read, /pass city: "([^"]+)"/),
      district: copy(read, /district: "([^"]+)"/),
      limit: 2,
    })),
  ],
  deal: [
    turn("What's a good pizza deal tonight?", 'search_local_offers', { query: 'pizza', limit: 3 }),
    turn('The first one, until when?', 'get_offer', (read) => ({ offer_id: id(read) })),
  ],
  'follow-up': [
    turn('presente até R$ 100', 'search_local_products', {
      query: 'presente até R$ 100',
      limit: 3,
    }),
    turn('só até 100, mais barato primeiro', 'search_local_products', (read) => ({
      query: 'presente',
      max_price: Number(copy(read, /max_price: (\d+)/)),
      sort: 'price_asc',
      limit: 3,
    })),
  ],
};

/** The sample's offers are dated from the day of its import. */
const undated = (text: string) =>
  text
    .replaceAll(/\d{4}-\d{2}-\d{2}/g, 'YYYY-MM-DD')
    .replaceAll(/http:\/\/localhost:\d+/g, 'https://vitrine.example');

describe('conversations of a model that sees nothing but `content`', () => {
  it.each(Object.entries(CONVERSATIONS))('%s', async (name, turns) => {
    const read: string[] = [];
    const lines = [`# ${name}`];
    for (const { person, tool, arguments: makeArguments } of turns) {
      const args = makeArguments(read);
      const { content } = await callTool(url, tool, args);
      const text = content.flatMap((block) => block.text ?? []).join('\n');
      read.push(text);
      lines.push(`> ${person}`, `\`${tool} ${JSON.stringify(args)}\``, undated(text));
    }
    await expect(`${lines.join('\n\n')}\n`).toMatchFileSnapshot(`conversations/${name}.md`);
  });
});
