import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { searchOffers, searchProducts } from '../support/mcp.ts';
import { type Service, sharedService } from '../support/service.ts';
import { serveShops } from '../support/small-catalog.ts';

const MEDICINES = ['Dipirona 500 mg com 20', 'Paracetamol 750 mg com 20', 'Fralda infantil M'];
const BREAD = ['Pão francês kg', 'Bolo de cenoura', 'Café coado', 'Leite integral 1 L'];

const SHOPS = [
  { name: 'Drogaria Popular do Bairro', sells: MEDICINES },
  { name: 'Drogaria Vida Clara', sells: MEDICINES },
  { name: 'Farmácia Santa Lídia', sells: MEDICINES },
  { name: 'Farmácia', sells: MEDICINES },
  { name: 'Padaria', sells: BREAD },
  { name: 'Padaria Estrela', sells: BREAD },
  { name: 'Padaria Pão Quente', sells: BREAD },
  { name: 'Mercado Central', sells: [...BREAD, 'Suco de laranja 1 L'] },
  { name: 'Suco de Laranja', sells: ['Suco de laranja 1 L', 'Suco de uva 1 L'] },
  { name: 'Liberdade', district: 'Moema', sells: [...BREAD, 'Sushi de salmão'] },
  { name: 'Drogaria Liberdade', district: 'Moema', sells: MEDICINES },
  { name: 'Sabor Oriental', district: 'Liberdade', sells: ['Sushi de salmão', 'Yakisoba'] },
  { name: 'Pizzaria Bella Napoli', sells: ['Pizza de calabresa', 'Pizza margherita'] },
  { name: 'Forno do Zico', sells: ['Pizza de calabresa', 'Pizza margherita', 'Esfiha de carne'] },
  { name: 'Aurora', sells: [{ name: 'Tênis Bruma', brand: 'Bruma' }, 'Camiseta branca'] },
  { name: 'Pé Leve', sells: [{ name: 'Tênis Aurora Run', brand: 'Aurora' }, 'Tênis Pista'] },
  { name: 'Volt Eletrônicos', sells: ['Fone de ouvido sem fio', 'Carregador USB-C'] },
  { name: 'Tevê e Som', sells: ['Fone de ouvido sem fio', 'Carregador USB-C'] },
  { name: 'Renascer Modas', sells: ['Camiseta branca', 'Vestido longo'] },
  { name: 'Zelinda', sells: ['Camiseta branca', 'Vestido longo'] },
  { name: 'Noite Branca', sells: ['Camiseta branca', 'Luminária de mesa'] },
  { name: 'Livraria do Largo', sells: ['Livro Noite Branca', 'Livro de receitas'] },
  { name: 'Linha & Agulha', sells: ['Camiseta branca', 'Vestido longo'] },
];

describe('a merchant in the words of a query', () => {
  let service: Service;
  beforeAll(async () => {
    service = await serveShops(SHOPS);
  });
  afterAll(() => service.stop());
  const ask = async (query: string, more: object = {}) => {
    const answer = await searchProducts(service.url, { query, limit: 20, ...more });
    return {
      ...answer,
      merchants: answer.products.map(({ merchant }) => merchant.name),
      notes: answer.messages.join(' '),
    };
  };

  it.each([
    ['dipirona na Drogaria Vida Clara', 'Drogaria Vida Clara', /^Dipirona/],
    ['dipirona drogaria vida clara', 'Drogaria Vida Clara', /^Dipirona/],
    ['DROGARIA VIDA CLARA paracetamol', 'Drogaria Vida Clara', /^Paracetamol/],
    ['tem fralda na farmacia santa lidia?', 'Farmácia Santa Lídia', /^Fralda/],
    ['dipirona na Vida Clara', 'Drogaria Vida Clara', /^Dipirona/],
    ['dipirona da loja Santa Lídia', 'Farmácia Santa Lídia', /^Dipirona/],
    ['pizza from Bella Napoli', 'Pizzaria Bella Napoli', /^Pizza/],
    ['pizza at the Bella Napoli', 'Pizzaria Bella Napoli', /^Pizza/],
    ['pizza de Bella Napoli', 'Pizzaria Bella Napoli', /^Pizza/],
    ['Pizza von Bella Napoli', 'Pizzaria Bella Napoli', /^Pizza/],
    ['pizza chez Bella Napoli', 'Pizzaria Bella Napoli', /^Pizza/],
    ['пицца из Bella Napoli', 'Pizzaria Bella Napoli', /^Pizza/],
    ['Bella Napoliのピザ', 'Pizzaria Bella Napoli', /^Pizza/],
    ['headphones at Volt Eletronicos', 'Volt Eletrônicos', /^Fone/],
    ['fone de ouvido na Volt', 'Volt Eletrônicos', /^Fone/],
    ['pão na Padaria Estrela', 'Padaria Estrela', /^Pão/],
    ['pão na Padaria Pão Quente', 'Padaria Pão Quente', /^Pão/],
    ['bolo no Mercado Central', 'Mercado Central', /^Bolo/],
    ['bolo da loja Liberdade', 'Liberdade', /^Bolo/],
    ['dipirona na Drogaria Liberdade', 'Drogaria Liberdade', /^Dipirona/],
    ['camiseta Zelinda', 'Zelinda', /^Camiseta/],
    ['dress from Zelinda', 'Zelinda', /^Vestido/],
    ['vestido na Linha e Agulha', 'Linha & Agulha', /^Vestido/],
    ['camiseta na Noite Branca', 'Noite Branca', /^Camiseta/],
  ])('"%s": its records come first, and a message names the field', async (query, name, first) => {
    const { products, merchants, notes, applied_filters, interpretation } = await ask(query);
    expect(merchants[0]).toBe(name);
    expect(products[0]?.name).toMatch(first);
    expect(products[0]?.match).toBe('exact');
    expect(new Set(merchants).size, 'the others stay').toBeGreaterThan(1);
    expect(notes).toContain(`pass merchant: "${name}"`);
    expect(notes).not.toContain('searched for');
    expect(applied_filters).not.toHaveProperty('merchant');
    expect(interpretation.concepts.join()).not.toContain('peneira');
  });

  it.each([
    ['dipirona na Drogaria Vida Clara', 'Drogaria Vida Clara'],
    ['pizza at the Bella Napoli', 'Pizzaria Bella Napoli'],
    ['camiseta na Noite Branca', 'Noite Branca'],
  ])('"%s": what others have matches in part', async (query, name) => {
    const { products } = await ask(query);
    const others = products.filter(({ merchant }) => merchant.name !== name);
    expect(others.length).toBeGreaterThan(0);
    expect(others.map(({ match }) => match)).not.toContain('exact');
  });

  it('may be what a thing is called as well', async () => {
    const { products } = await ask('vocês têm o livro Noite Branca?');
    expect(products[0]).toMatchObject({ name: 'Livro Noite Branca', match: 'exact' });
  });

  it.each(['Linha & Agulha', 'linha e agulha', 'LINHA AGULHA'])(
    'is found as "%s"',
    async (name) => {
      const { products, applied_filters } = await ask('vestido', { merchant: name });
      expect(products.map(({ merchant }) => merchant.name)).toEqual(['Linha & Agulha']);
      expect(applied_filters.merchant).toBe('Linha & Agulha');
    },
  );

  it.each([
    ['Drogaria Vida Clara', 'Drogaria Vida Clara'],
    ['drogaria vida clara', 'Drogaria Vida Clara'],
    ['o que tem na Padaria Estrela?', 'Padaria Estrela'],
    ['o que a Padaria Estrela vende', 'Padaria Estrela'],
    ['produtos da Farmácia Santa Lídia', 'Farmácia Santa Lídia'],
    ['what does Volt Eletrônicos sell?', 'Volt Eletrônicos'],
    ['show me everything from Pizzaria Bella Napoli', 'Pizzaria Bella Napoli'],
    ['qué hay en Pizzaria Bella Napoli', 'Pizzaria Bella Napoli'],
    ['Zelinda', 'Zelinda'],
    ['cardápio da Pizzaria Bella Napoli', 'Pizzaria Bella Napoli'],
  ])('"%s" alone shows its records', async (query, name) => {
    const { merchants, notes, applied_filters: filters } = await ask(query);
    const passed = await ask(query, { query: undefined, merchant: name });
    expect(new Set(merchants)).toEqual(new Set([name]));
    expect(merchants).toHaveLength(passed.merchants.length);
    expect(notes).toContain(`pass merchant: "${name}"`);
    expect(filters.merchant).toBe(name);
  });

  it.each([
    ['farmácia', 'a name that is a word'],
    ['remédio na farmácia', 'a place of that kind'],
    ['padaria', 'a name that is a word'],
    ['pão da padaria', 'a place of that kind'],
    ['suco de laranja', 'a name that is a thing'],
    ['sushi na Liberdade', 'a name that is a district'],
    ['Liberdade', 'a name that is a district'],
    ['drogaria liberdade', 'a kind of shop in a district'],
    ['Drogaria Vida', 'half a name'],
    ['dipirona na Vida', 'half a name'],
    ['pão quente', 'half a name'],
    ['estrela', 'half a name'],
    ['Drogaria Vida Cara', 'a misspelt name'],
    ['pizza da Bela Napole', 'a misspelt name'],
    ['mercado', 'a word of a name'],
    ['bolo do mercado', 'a word of a name'],
    ['pizza', 'a thing that a name begins with'],
  ])('"%s" is taken for none: %s', async (query) => {
    const { notes, applied_filters: filters } = await ask(query);
    expect(notes).not.toContain('is a merchant');
    expect(filters).not.toHaveProperty('merchant');
  });

  it('keeps the word of a brand that a merchant is named like', async () => {
    const { products, notes } = await ask('tênis Aurora');
    const exact = products.filter(({ match }) => match === 'exact').map(({ name }) => name);
    expect(exact).toContain('Tênis Aurora Run');
    expect(exact).not.toContain('Tênis Pista');
    expect(notes).toContain('pass merchant: "Aurora"');
  });

  it('says nothing when a filter already names a merchant', async () => {
    const merchant = 'Drogaria Vida Clara';
    const { merchants, notes } = await ask('dipirona na Drogaria Vida Clara', { merchant });
    expect(new Set(merchants)).toEqual(new Set([merchant]));
    expect(notes).toBe('');
  });
});

describe('over the sample catalog', () => {
  const { url } = sharedService();

  it('shows what a pharmacy has, and not another one', async () => {
    const { products } = await searchProducts(url, { query: 'Drogaria Vida Clara' });
    expect(products.length).toBeGreaterThan(0);
    for (const { merchant } of products) expect(merchant.name).toBe('Drogaria Vida Clara');
  });

  it('prefers a merchant among offers', async () => {
    const answer = await searchOffers(url, { query: 'iPhone na Volt Eletrônicos' });
    expect(answer.offers[0]?.merchant?.name).toBe('Volt Eletrônicos');
    expect(answer.messages.join(' ')).toContain('pass merchant: "Volt Eletrônicos"');
  });
});
