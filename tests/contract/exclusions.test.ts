import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WISHES } from '../support/diet-wishes.ts';
import { searchOffers, searchProducts } from '../support/mcp.ts';
import { type Service, sharedService } from '../support/service.ts';
import { serveRecords } from '../support/small-catalog.ts';

/** A record with the diets that it breaks, as its label would say. */
type Food = { name: string; description?: string; holds: string };

/** A small shop with a trap for each diet. */
const FOODS: Food[] = [
  { name: 'Pão de Forma de Trigo 500g', holds: 'gluten' },
  { name: 'Pão Francês', description: 'Temos também opção sem glúten.', holds: 'gluten' },
  { name: 'Pão de Forma Sem Glúten 300g', description: 'Feito com farinha de arroz.', holds: '' },
  { name: 'Pão de Queijo Congelado 1kg', holds: 'milk lactose egg animal' },
  { name: 'Pão Vegano Integral', description: 'Sem leite, sem ovos.', holds: 'gluten' },
  { name: 'Chocolate ao Leite 90g', holds: 'milk lactose sugar animal caffeine' },
  { name: 'Chocolate Amargo 70% 80g', holds: 'sugar caffeine' },
  { name: 'Chocolate Zero Lactose 80g', holds: 'milk sugar animal caffeine' },
  { name: 'Chocolate com Amendoim 40g', holds: 'peanut nuts milk lactose sugar animal' },
  { name: 'Chocolate Vegano 80g', description: 'Não contém leite nem amendoim.', holds: 'sugar' },
  { name: 'Chocolate Diet Sem Açúcar 25g', holds: 'milk lactose animal' },
  { name: 'Castanha de Caju Torrada 200g', holds: 'nuts' },
  { name: 'Pasta de Amendoim Integral 500g', holds: 'peanut' },
  { name: 'Salgadinho de Amendoim Japonês', holds: 'peanut gluten' },
  { name: 'Salgadinho de Milho 100g', holds: '' },
  {
    name: 'Mix de Sementes Snack',
    description: 'Não contém amendoim nem castanhas.',
    holds: '',
  },
  { name: 'Sorvete de Creme 2L', holds: 'milk lactose sugar egg animal' },
  { name: 'Sorbet de Manga Vegano', holds: 'sugar' },
  { name: 'Bolo de Cenoura', holds: 'gluten egg sugar animal' },
  { name: 'Bolo de Maçã Sem Ovo e Sem Leite', holds: 'gluten sugar' },
  { name: 'Camarão Rosa Limpo 400g', holds: 'shellfish animal' },
  { name: 'Moqueca de Camarão', holds: 'shellfish animal' },
  { name: 'Filé de Tilápia 500g', holds: 'fish animal' },
  { name: 'Cerveja Pilsen 350ml', holds: 'alcohol gluten' },
  { name: 'Cerveja Sem Álcool 350ml', holds: 'gluten' },
  { name: 'Vinho Tinto Seco 750ml', holds: 'alcohol' },
  { name: 'Linguiça Toscana Suína 1kg', holds: 'pork meat animal' },
  { name: 'Linguiça de Frango 1kg', holds: 'meat animal' },
  { name: 'Carne Moída Halal 500g', holds: 'meat animal' },
  { name: 'Picanha Bovina kg', holds: 'meat animal' },
  { name: 'Hambúrguer Vegano de Grão de Bico', holds: '' },
  { name: 'Hambúrguer Bovino 672g', holds: 'meat animal' },
  { name: 'Molho Shoyu 150ml', holds: 'soy gluten' },
  { name: 'Molho de Tomate 340g', holds: '' },
  { name: 'Leite de Soja 1L', holds: 'soy' },
  { name: 'Leite de Aveia 1L', holds: 'gluten' },
  { name: 'Leite Integral 1L', holds: 'milk lactose animal' },
  { name: 'Leite Zero Lactose 1L', holds: 'milk animal' },
  { name: 'Maionese Tradicional 500g', holds: 'egg animal' },
  { name: 'Café Torrado e Moído 500g', holds: 'caffeine' },
  { name: 'Café Descafeinado 250g', holds: '' },
  { name: 'Vinho Kosher 750ml', holds: 'alcohol' },
  { name: 'Geladeira Frost Free 400L', holds: '' },
  { name: 'Controle sem Fio para Videogame', holds: '' },
  { name: 'Água Mineral 500ml', holds: '' },
  { name: 'Água Mineral com Gás 500ml', holds: '' },
  { name: 'iPhone 15 128GB', holds: '' },
  { name: 'Capinha para iPhone 15', holds: 'case' },
  { name: 'Tênis com Cadarço Branco', holds: 'laces' },
  { name: 'Tênis Infantil sem Cadarço', holds: '' },
];

const product = ({ name, description }: Food, at: number) => ({
  ...{ kind: 'product', id: at + 1, merchant_id: 1, name, description },
  price: { amount: 1000 + at, currency: 'BRL' },
});
const offer = ({ name, description }: Food, at: number) => ({
  ...{ kind: 'offer', id: at + 1001, merchant_id: 1, title: name, description, quality_score: 0.5 },
});
const RECORDS = [
  { kind: 'merchant', id: 1, name: 'Empório' },
  {
    ...{ kind: 'store', id: 1, merchant_id: 1, name: 'Empório', address: 'Rua Um, 1' },
    ...{ district: 'Centro', city: 'São Paulo' },
  },
  ...FOODS.map(product),
  ...FOODS.map(offer),
];

const CASES = Object.entries(WISHES).flatMap(([holds, queries]) =>
  queries.split('/').map((query) => [query.trim().replace(/\s+/g, ' '), holds] as const),
);

let service: Service;
beforeAll(async () => {
  service = await serveRecords(RECORDS);
});
afterAll(() => service.stop());

const holdsOf = (name: string) => FOODS.find((food) => food.name === name)?.holds.split(' ') ?? [];

async function ask(query: string, args = {}) {
  const { products, messages, interpretation } = await searchProducts(service.url, {
    query,
    ...args,
  });
  const records = products.map(({ name, match }) => ({ name, match }));
  return {
    records,
    names: records.map(({ name }) => name),
    said: messages.join(' '),
    interpretation,
  };
}

/** An answer is dangerous if it has what must not be in it: exact ever, or among the first five unwarned. */
function dangersIn(records: { name: string; match: string }[], said: string, holds: string) {
  const isWarned = /known to be/.test(said);
  return records.filter(
    ({ name, match }, at) =>
      holdsOf(name).includes(holds) && (match === 'exact' || (at < 5 && !isWarned)),
  );
}

describe('what must not be in it', () => {
  it.each(CASES)('%s', async (query, holds) => {
    const { records, said } = await ask(query);
    expect(dangersIn(records, said, holds)).toEqual([]);
    const offers = await searchOffers(service.url, { query });
    const listed = offers.offers.map(({ title, match }) => ({ name: title, match }));
    expect(dangersIn(listed, offers.messages.join(' '), holds)).toEqual([]);
  });
});

describe('what else is wanted without', () => {
  it('says first what is known to be without it, and is exact in that alone', async () => {
    const { records, said } = await ask('pão sem glúten');
    expect(records[0]).toEqual({ name: 'Pão de Forma Sem Glúten 300g', match: 'exact' });
    expect(records.slice(1).every(({ match }) => match === 'partial')).toBe(true);
    expect(said).toContain('none of the others is known to be');
    expect(said).toContain('no guarantee for an allergy');
  });

  it('says so where nothing is known to be without it', async () => {
    const { names, said } = await ask('sausage without pork');
    expect(names).toEqual(['Linguiça de Frango 1kg']);
    expect(said).toContain('None of these is known to be without pork');
  });

  it('shows nothing, and says why, where all names it', async () => {
    const { names, said } = await ask('vinho sem álcool');
    expect(names).toEqual([]);
    expect(said).toContain('all that was found names it');
  });

  it('is not confused by names that only sound alike', async () => {
    for (const query of ['sem glúten', 'gluten free']) {
      expect((await ask(query)).names).toEqual(['Pão de Forma Sem Glúten 300g']);
    }
    expect((await ask('geladeira frost free')).records[0]).toEqual({
      ...{ name: 'Geladeira Frost Free 400L', match: 'exact' },
    });
    expect((await ask('controle sem fio')).records[0]?.name).toBe(
      'Controle sem Fio para Videogame',
    );
  });

  it.each([
    ...['iphone não capinha', 'iphone, not a case', 'iPhone, keine Hülle', 'iphone pas une coque'],
    ...['iphone, no una funda', 'iphone, не чехол', 'iPhone 不要手机壳', 'iPhone ケースじゃない'],
  ])('%s', async (query) => {
    const { names } = await ask(query);
    expect(names[0]).toBe('iPhone 15 128GB');
    expect(names).not.toContain('Capinha para iPhone 15');
  });

  it('does not mix up kinds of meat', async () => {
    const { names } = await ask('linguiça, sou alérgico a frango');
    expect(names).toEqual(['Linguiça Toscana Suína 1kg']);
    const burgers = await ask('hambúrguer sem carne bovina');
    expect(burgers.names).toEqual(['Hambúrguer Vegano de Grão de Bico']);
  });

  it('shows records that satisfy one of two exclusions and are silent on the other, with a warning', async () => {
    const { records, said } = await ask('comida vegana pero sin soja');
    expect(records.length).toBeGreaterThan(0);
    expect(records.map(({ match }) => match)).not.toContain('exact');
    expect(said).toContain('None of these is known to be without soy');
  });

  it.each(['still water, nothing fizzy', 'water, but not sparkling'])('%s', async (query) => {
    const { names } = await ask(query);
    expect(names[0]).toBe('Água Mineral 500ml');
    expect(names).not.toContain('Água Mineral com Gás 500ml');
  });

  it('keeps to it for other things than food', async () => {
    const { names } = await ask('tênis sem cadarço');
    expect(names).toEqual(['Tênis Infantil sem Cadarço']);
  });

  it('keeps the order of a sorted search', async () => {
    const { names, records } = await ask('chocolate sem lactose', { sort: 'price_desc' });
    expect(names).toEqual([
      'Chocolate Vegano 80g',
      'Chocolate Zero Lactose 80g',
      'Chocolate Amargo 70% 80g',
    ]);
    expect(records.at(-1)?.match).toBe('partial');
  });

  it('tells what it understood', async () => {
    const { interpretation } = await ask('sou alérgico a amendoim, quero um doce');
    expect(interpretation.concepts).toEqual(['doces e balas', 'sem amendoim']);
  });
});

describe('the sample catalog', () => {
  const { url } = sharedService();
  const search = async (query: string) => {
    const { products, messages } = await searchProducts(url, { query });
    return {
      products,
      said: messages.join(' '),
      names: products.map(({ name }) => name).join('; '),
    };
  };

  it.each([
    ['peanut free snack', /castanha|amendo|caju|nozes/i],
    ['bread without gluten for my celiac son', /trigo|pão francês|pão italiano|baguete/i],
    ['chocolate sem lactose', /ao leite/i],
    ['sem glúten', /sem fio/i],
    ['gluten free', /frost free/i],
    ['seafood dish without shellfish', /camarão|frutos do mar|moqueca/i],
  ])('%s', async (query, never) => {
    const { names, products, said } = await search(query);
    expect(names).not.toMatch(never);
    const unproven = products.filter(({ match }) => match !== 'exact');
    if (unproven.length > 0) expect(said).toMatch(/known to be|say that|names it/);
  });
});
