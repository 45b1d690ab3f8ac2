import { describe, expect, it } from 'vitest';
import { searchOffers, searchProducts } from '../support/mcp.ts';
import { sharedService } from '../support/service.ts';

const { url } = sharedService();

const FOLLOW_UP = /^The query is a follow-up that names nothing to search for/;

describe('a wish for whatever is on offer', () => {
  it.each([
    ...['ofertas', "today's deals", 'promoção de hoje', 'o que está em promoção', 'скидки', '优惠'],
    ...[
      'rebajas',
      'Angebote heute',
      'soldes',
      'セール',
      '할인',
      'تخفيضات',
      "what's on sale today?",
    ],
    ...['saldi', 'indirimler', 'promo hari ini', 'khuyến mãi hôm nay', 'מבצעים', 'आज के ऑफर'],
    ...['โปรโมชั่นวันนี้', 'dagens tilbud', 'tarjoukset', 'wyprzedaż', 'slevy', 'знижки', 'προσφορές'],
  ])('is answered with current offers, the best first: %s', async (query) => {
    const { offers, messages } = await searchOffers(url, { query, limit: 10 });
    expect(offers).toHaveLength(10);
    expect(messages).toEqual([expect.stringContaining('whatever is on offer')]);
    expect(offers.every(({ quality_score: quality }) => quality > 0.7)).toBe(true);
    expect(new Set(offers.map(({ ai_category: category }) => category)).size).toBeGreaterThan(4);
  });

  it('prefers a district in the words and keeps to one in the field', async () => {
    const spoken = await searchOffers(url, { query: 'ofertas em Pinheiros', limit: 5 });
    const kept = await searchOffers(url, { query: 'ofertas', district: 'Pinheiros', limit: 5 });
    for (const { offers } of [spoken, kept]) {
      expect(offers).toHaveLength(5);
      expect(offers.every((offer) => offer.nearest_store?.district === 'Pinheiros')).toBe(true);
    }
    expect(spoken.messages.join(' ')).toContain('pass district: "Pinheiros"');
  });

  it('is answered with products on offer in the product search, within its constraints', async () => {
    const { offers } = await searchOffers(url, { query: 'ofertas', limit: 20 });
    const onOffer = offers.flatMap(({ product_url: link }) => link ?? []);
    const { products, messages } = await searchProducts(url, { query: 'ofertas', limit: 5 });
    expect(
      products.map(({ product_url: link }) => link).every((link) => onOffer.includes(link)),
    ).toBe(true);
    expect(messages[0]).toContain('search_local_offers');
    const cheap = await searchProducts(url, { query: 'ofertas', max_price: 10, limit: 20 });
    expect(cheap.products.length).toBeGreaterThan(5);
    expect(cheap.products.every(({ price }) => (price?.amount ?? 0) <= 1000)).toBe(true);
    const books = await searchProducts(url, { query: 'ofertas', category: 'Livros' });
    expect(books.products.every(({ category }) => category?.name === 'Livros')).toBe(true);
  });
});

describe('a wish for anything', () => {
  it.each([
    ...['qualquer coisa perto', "what's around here", 'o que tem em Moema', 'qué hay cerca'],
    ...['was gibt es hier in der Nähe', '附近有什么', '近くに何がある', 'something cheap'],
  ])('shows the shelf: %s', async (query) => {
    const { products, messages } = await searchProducts(url, { query, limit: 5 });
    expect(products).toHaveLength(5);
    expect(messages.join(' ')).toMatch(/Understood as a wish/);
  });

  it('shows what is near coordinates', async () => {
    const here = { latitude: -23.5617, longitude: -46.702, radius_meters: 20_000 };
    const { products } = await searchProducts(url, { query: "what's around here", ...here });
    const distances = products.map(({ nearest_store: store }) => store?.distance_meters ?? 1e9);
    expect(Math.max(...distances)).toBeLessThan(5000);
  });
});

describe('what serves a wish', () => {
  it.each([
    ...['coisas para crianças', 'something for kids', 'algo para niños', 'etwas für Kinder'],
    ...['что-нибудь для детей', 'quelque chose pour les enfants', '子供向けのもの'],
  ])('for children: %s', async (query) => {
    const { products, messages } = await searchProducts(url, { query, limit: 5 });
    expect(products).toHaveLength(5);
    expect(products.every(({ match }) => match === 'exact')).toBe(true);
    expect(products.some((one) => one.category?.name === 'Brinquedos e jogos')).toBe(true);
    expect(messages).toEqual([expect.stringContaining('things for children')]);
  });

  it.each([
    ...['estou com fome', "I'm hungry", 'something to eat', 'tengo hambre', "j'ai faim", 'ho fame'],
    ...['ich habe Hunger', 'я голоден', 'お腹すいた', '我饿了', '배고파', 'أنا جائع'],
  ])('to eat now: %s', async (query) => {
    const { products, messages } = await searchProducts(url, { query, limit: 5 });
    expect(products).toHaveLength(5);
    expect(products.every(({ match }) => match === 'exact')).toBe(true);
    const shelves = products.map(({ category }) => category?.name);
    expect(shelves).not.toContain('Mercearia');
    expect(messages).toEqual([expect.stringContaining('something to eat now')]);
  });

  it.each([
    ['presente', /buquê|colar|cesta|bombo|caneca|vela/i],
    ['gift ideas', /buquê|colar|cesta|bombo|caneca|vela/i],
    ['presente para minha mãe', /buquê|colar|pulseira|brinco|bolsa|vela|bombo/i],
    ['presente para uma criança', /jogo|boneca|LEGO|livro infantil|bicicleta/i],
    ['gift for a 6 year old boy', /jogo|boneca|LEGO|livro infantil|bicicleta/i],
    ['gift for my mother who loves gardening', /vaso|orquídea|suculentas/i],
    ['gift for a book lover', /machado|livro|harry|príncipe|torto/i],
    ['cadeau pour quelqu’un qui aime le vin', /vinho|espumante/i],
    ['подарок другу, который любит вино', /vinho|espumante/i],
    ['regalo per chi ama il caffè', /café|cafeteira/i],
    ['送给喜欢咖啡的朋友的礼物', /café|cafeteira/i],
    ['presente: um ursinho', /urs|pelúcia/i],
  ])('to give: %s', async (query, wanted) => {
    const { products } = await searchProducts(url, { query, limit: 3 });
    expect(products.length).toBeGreaterThan(0);
    expect(products[0]?.name).toMatch(wanted);
  });

  it('gives no raw beef to somebody who likes a barbecue', async () => {
    const query = 'quero um presente pro meu pai que gosta de churrasco';
    const { products, messages } = await searchProducts(url, { query, limit: 10 });
    const shelves = products.map(({ category }) => category?.name);
    expect(shelves).not.toContain('Carnes e açougue');
    expect(messages).toEqual([expect.stringContaining('a gift (presente para churrasqueiro)')]);
  });
});

describe('a follow-up without what it follows', () => {
  it.each([
    ...['e mais barato?', 'the second one', 'tem em Moema?', 'something cheaper', 'o segundo'],
    ...['mais opções', 'quanto custa?', 'y en azul?', 'what about Moema?', 'and in red?'],
    ...[
      'show me more',
      'billiger?',
      'und in Moema?',
      'moins cher ?',
      'et à Moema ?',
      'le deuxième',
    ],
    ...['il secondo', 'подешевле', 'а в Moema?', 'второй вариант', 'もっと安いのは？', '2番目の'],
    ...['更便宜的', '第二个', '多少钱', '더 싼거 있어?', '두 번째 거', 'أرخص', 'كم السعر'],
    ...['daha ucuzu var mı', 'yang lebih murah', 'tańsze', 'iets goedkopers', 'और सस्ता'],
    ...['cái thứ hai', 'e no tamanho 42?', 'הכי זול יותר? השני', 'ถูกกว่านี้', 'den andra'],
  ])('is told so instead of searched: %s', async (query) => {
    const { products, messages } = await searchProducts(url, { query });
    expect(messages).toEqual([expect.stringMatching(FOLLOW_UP)]);
    expect(products).toEqual([]);
    const { offers, messages: told } = await searchOffers(url, { query });
    expect([offers, told]).toEqual([[], messages]);
  });

  it.each([
    ['celular mais barato', /celular|iphone/i],
    ['cheaper phone', /celular|iphone/i],
    ['outro livro infantil', /livro|turma|príncipe/i],
  ])('is a search with the thing beside it: %s', async (query, wanted) => {
    const { products, messages } = await searchProducts(url, { query, limit: 2 });
    expect(products[0]?.name).toMatch(wanted);
    expect(messages.join(' ')).not.toMatch(FOLLOW_UP);
  });

  it('is about a category or merchant that is given beside it', async () => {
    const args = { query: 'mais barato', category: 'Calçados', limit: 3 };
    const { products } = await searchProducts(url, args);
    const prices = products.map(({ price }) => price?.amount ?? 0);
    expect(prices).toEqual(prices.toSorted((a, b) => a - b));
  });
});

describe('a category by what its name means', () => {
  it.each([
    ...['Shoes', 'zapatos', 'Schuhe', 'обувь', '鞋', 'chaussures', 'sapato'].map((name) => [
      ...[name, 'Calçados'],
    ]),
    ...['Farmacia', 'pharmacy', 'аптека'].map((name) => [name, 'Farmácia e saúde']),
    ...['Toys', 'juguetes', 'おもちゃ'].map((name) => [name, 'Brinquedos e jogos']),
    ...[
      ['books', 'Livros'],
      ['Livro', 'Livros'],
      ['Möbel', 'Móveis'],
      ['wine', 'Vinhos'],
    ],
    ...[
      ['gifts', 'Flores e presentes'],
      ['tablets', 'Celulares e tablets'],
    ],
  ])('%s is %s', async (category = '', known = '') => {
    const byMeaning = await searchProducts(url, { category, limit: 5 });
    const byName = await searchProducts(url, { category: known, limit: 5 });
    expect(byMeaning.products).toEqual(byName.products);
    expect(byMeaning.applied_filters.category).toBe(known);
    expect(byMeaning.messages).toEqual([`The category "${category}" was understood as ${known}.`]);
    expect(byName.messages).toEqual([]);
  });

  it('is kept to the nearest category that what is meant belongs to', async () => {
    const kept = await searchProducts(url, { category: 'headphones', limit: 5 });
    const byName = await searchProducts(url, { category: 'Eletrônicos', limit: 5 });
    expect(kept.products).toEqual(byName.products);
    expect(kept.applied_filters.category).toBe('Eletrônicos');
    expect(kept.messages).toEqual([
      'No category is called "headphones": this is kept to the nearest, Eletrônicos.',
    ]);
  });

  it('suggests what is nearest in meaning where it is not sure', async () => {
    const { products, messages } = await searchProducts(url, { category: 'Shooes' });
    expect(products).toEqual([]);
    expect(messages.join(' ')).toContain('Close known names: Calçados, ');
  });
});
