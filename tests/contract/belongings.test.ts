import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { searchProducts } from '../support/mcp.ts';
import { type Service, sharedService } from '../support/service.ts';
import { serveShops } from '../support/small-catalog.ts';

/** Each thing, expensive, and its accessories, cheap, with titles as sellers write them. */
const SELLS = [
  ...['iPhone 13 128GB', 'Apple iPhone 15 256GB Preto', 'Celular Samsung Galaxy A54 128GB'],
  ...['Smartphone Motorola G84', 'Notebook Dell Inspiron 15', 'Notebook Lenovo Ideapad'],
  ...['Bicicleta Aro 29 Trilha', 'Bicicleta Infantil Aro 16', 'Console PlayStation 5 Slim'],
  ...['Violão Acústico Nylon', 'Geladeira Frost Free 400 L', 'Smart TV 50 4K', 'Tablet Samsung A9'],
].map((name, place) => ({ name, price: 90_000 + 10_000 * place }));
const BELONGS = [
  ...['Capa iPhone 13', 'Capinha iPhone 15 Silicone', 'Capa para iPhone 13', 'Capinha Galaxy A54'],
  ...[
    'Bateria iPhone 11',
    'Tela iPhone 12',
    'Película p/ iPhone 13',
    'Película de vidro iPhone 15',
  ],
  ...['Carregador iPhone 20W', 'Troca de tela de iPhone 13', 'Conserto de celular Samsung'],
  ...['Capa celular Samsung A54', 'Suporte de celular para bicicleta', 'Cabo USB-C Samsung'],
  ...['Carregador Notebook Dell', 'Mochila Notebook Dell 15', 'Bateria notebook Dell Inspiron'],
  ...['Película notebook 15', 'Conserto de notebook', 'Pneu de bicicleta aro 29'],
  ...['Câmara bicicleta aro 29', 'Capacete de bicicleta', 'Cadeado bicicleta'],
  ...[
    'Jogo PlayStation 5 Corrida',
    'Controle PlayStation 5',
    'Flex iPhone 8',
    'Motor geladeira',
    'Capa violão',
    'Corda violão nylon',
  ],
  ...['Conserto de geladeira', 'Suporte TV 50', 'Controle remoto TV', 'Capa Tablet Samsung A9'],
].map((name, place) => ({ name, price: 1000 + 10 * place }));

const SHOPS = [
  { name: 'Tudo Junto', sells: [...BELONGS, ...SELLS] },
  { name: 'Cozinha', sells: ['Peneira de inox', 'Escorredor de macarrão', 'Tela mosquiteira'] },
];

describe('a thing and its accessories', () => {
  let service: Service;
  beforeAll(async () => {
    service = await serveShops(SHOPS);
  });
  afterAll(() => service.stop());
  const ask = (query: string, more: object = {}) =>
    searchProducts(service.url, { query, limit: 20, ...more });

  const PHONE = /^(iPhone|Apple iPhone|Celular|Smartphone)/;
  it.each([
    ['iphone', PHONE],
    ['iPhone 13', PHONE],
    ['celular', PHONE],
    ['celular samsung', PHONE],
    ['smartphone', PHONE],
    ['cell phone', PHONE],
    ['Handy', PHONE],
    ['téléphone portable', PHONE],
    ['телефон', PHONE],
    ['айфон', PHONE],
    ['手机', PHONE],
    ['スマホ', PHONE],
    ['notebook dell', /^Notebook/],
    ['laptop', /^Notebook/],
    ['portátil dell', /^Notebook/],
    ['bicicleta', /^Bicicleta/],
    ['bicicleta aro 29', /^Bicicleta/],
    ['bicycle', /^Bicicleta/],
    ['Fahrrad', /^Bicicleta/],
    ['PlayStation 5', /^Console/],
    ['violão', /^Violão/],
    ['geladeira', /^Geladeira/],
    ['fridge', /^Geladeira/],
    ['tv 50', /^Smart TV/],
    ['tablet samsung', /^Tablet/],
  ])('"%s": only the thing is exact, sorted by price too', async (query, thing) => {
    const { products } = await ask(query);
    expect(products[0]?.name).toMatch(thing);
    for (const { name, match } of products) if (match === 'exact') expect(name).toMatch(thing);
    for (const sort of ['price_asc', 'price_desc']) {
      const sorted = await ask(query, { sort });
      expect(sorted.products.length).toBeGreaterThan(0);
      for (const { name } of sorted.products) expect(name, sort).toMatch(thing);
    }
  });

  it.each([
    ['iphone', /^(Apple )?iPhone/],
    ['iPhone 13', /^iPhone 13/],
    ['celular samsung', /^Celular Samsung/],
    ['notebook dell', /^Notebook Dell/],
    ['bicicleta aro 29', /^Bicicleta Aro 29/],
  ])('"%s": the very one comes first', async (query, first) => {
    const { products } = await ask(query);
    expect(products[0]?.name).toMatch(first);
  });

  it.each([
    ['capinha iphone', /^(Capa|Capinha)\b.*iPhone/],
    ['capa de iphone 13', /^Capa.* iPhone 13/],
    ['iPhone15 ケース', /^(Capa|Capinha)/],
    ['아이폰15 케이스', /^(Capa|Capinha)/],
    ['чехол для айфона', /^(Capa|Capinha)/],
    ['case for iphone', /^(Capa|Capinha)/],
    ['iPhone case', /^(Capa|Capinha)/],
    ['Handyhülle', /^(Capa|Capinha)/],
    ['funda iphone', /^(Capa|Capinha)/],
    ['película iphone', /^Película.*iPhone/],
    ['screen protector', /^Película/],
    ['carregador de notebook', /^Carregador Notebook/],
    ['laptop charger', /^Carregador Notebook/],
    ['mochila para notebook', /^Mochila/],
    ['pneu de bicicleta', /^Pneu/],
    ['jogo playstation 5', /^Jogo/],
    ['controle playstation', /^Controle PlayStation/],
    ['conserto de celular', /^(Conserto de celular|Troca)/],
    ['conserto de geladeira', /^Conserto de geladeira/],
    ['bateria de notebook', /^(Bateria|Conserto de) notebook/],
    ['capa de violão', /^Capa violão/],
    ['where can I fix my phone screen?', /^(Conserto de celular|Troca)/],
  ])('"%s": the thing itself is neither first nor exact', async (query, first) => {
    const { products, interpretation } = await ask(query);
    expect(products[0]?.name).toMatch(first);
    const names = SELLS.map(({ name }) => name);
    for (const { name, match } of products) {
      if (match === 'exact') expect(names, query).not.toContain(name);
    }
    expect(interpretation.concepts).not.toContain('peneira e escorredor');
  });
});

describe('a thing, its toy versions, and namesakes of other brands', () => {
  let service: Service;
  beforeAll(async () => {
    service = await serveShops([
      {
        name: 'Toda Loja',
        sells: [
          ...['Cafeteira de Brinquedo com Xícaras', 'Cafeteira Elétrica 30 Xícaras 110V'],
          ...['Violão Infantil de Brinquedo', 'Violão Acústico Nylon', 'Caixa para Brinquedos'],
          ...['PlayStation 5 Slim 1TB', 'Console Nintendo Switch OLED', 'Controle Switch'],
          ...['Smartphone Samsung Galaxy A15', 'Apple iPhone 15 128GB', 'Capinha iPhone 15'],
          ...['Refrigerante Pepsi 2L', 'Coca-Cola Lata 350ml', 'Tênis Nike Corrida', 'Tênis Azul'],
          ...['Maçã Gala kg', 'Suco de Maçã 1L', 'Troca de Bateria iPhone 15'],
        ],
      },
    ]);
  });
  afterAll(() => service.stop());

  it.each([
    ['cafeteira', 'Cafeteira Elétrica 30 Xícaras 110V'],
    ['kahve makinesi', 'Cafeteira Elétrica 30 Xícaras 110V'],
    ['violão', 'Violão Acústico Nylon'],
    ['cerco una chitarra vera, non un giocattolo', 'Violão Acústico Nylon'],
    ['cafeteira de brinquedo', 'Cafeteira de Brinquedo com Xícaras'],
    ['toy guitar', 'Violão Infantil de Brinquedo'],
    ['iphone', 'Apple iPhone 15 128GB'],
    ['айфона', 'Apple iPhone 15 128GB'],
    ['아이폰 배터리 교체', 'Troca de Bateria iPhone 15'],
    ['чехол для айфона', 'Capinha iPhone 15'],
    ['아이폰 케이스 말고 아이폰', 'Apple iPhone 15 128GB'],
    ['nintendo switch', 'Console Nintendo Switch OLED'],
    ['ニンテンドースイッチの本体', 'Console Nintendo Switch OLED'],
    ['可口可乐', 'Coca-Cola Lata 350ml'],
    ['ナイキのスニーカー', 'Tênis Nike Corrida'],
  ])('"%s": no other is called exact', async (query, wanted) => {
    const { products } = await searchProducts(service.url, { query });
    expect(products[0]?.name).toBe(wanted);
    const exact = products.filter(({ match }) => match === 'exact').map(({ name }) => name);
    expect(exact.filter((name) => name !== wanted)).toEqual([]);
  });

  it('offers others where the brand is not there', async () => {
    const { products } = await searchProducts(service.url, { query: 'смартфон Xiaomi' });
    expect(products.map(({ name }) => name)).toContain('Smartphone Samsung Galaxy A15');
    expect(products.every(({ match }) => match === 'partial')).toBe(true);
  });
});

describe('over the sample catalog', () => {
  const { url } = sharedService();

  it.each(['iphone', 'celular samsung', 'notebook', 'bicicleta'])(
    '"%s" by price begins with the thing',
    async (query) => {
      const { products } = await searchProducts(url, { query, sort: 'price_asc' });
      expect(products.length).toBeGreaterThan(0);
      for (const { name } of products) {
        expect(name).not.toMatch(
          /cap(a|inha)|película|bateria|tela|carregador|troca|suporte|cabo/i,
        );
      }
    },
  );
});

describe('words that were understood', () => {
  const { url } = sharedService();

  it.each(['hamburger', 'cake', 'café na Vila Madalena', 'Kuchen', 'pastel', 'stores near Moema'])(
    '"%s" is not told to be mistyped or missing',
    async (query) => {
      const { messages } = await searchProducts(url, { query });
      expect(messages.join(' ')).not.toMatch(/has no|searched for/);
    },
  );
});
