import { describe, expect, it } from 'vitest';
import { searchOffers, searchProducts } from '../support/mcp.ts';
import { sharedService } from '../support/service.ts';

const { url } = sharedService();
const ask = (args: object) => searchProducts(url, { limit: 20, ...args });

describe('a place that the words of a query name', () => {
  it.each([
    ['café perto da Paulista', 'Avenida Paulista', 'Bela Vista'],
    ['stores near Paulista avenue', 'Avenida Paulista', 'Bela Vista'],
    ['restaurantes da Paulista', 'Avenida Paulista', 'Bela Vista'],
    ['coffee near MASP', 'MASP', 'Bela Vista'],
    ['café na Vila Madalena', 'Vila Madalena', 'Pinheiros'],
    ['café … na Vila Madalena', 'Vila Madalena', 'Pinheiros'],
    ['restaurants around Avenida Paulista', 'Avenida Paulista', 'Bela Vista'],
    ['Buchladen bei der Praça da Sé', 'Praça da Sé', 'Sé'],
    ['25 de Março película', 'Rua 25 de Março', 'Sé'],
    ['lojas da 25 de Março', 'Rua 25 de Março', 'Sé'],
    ['pizza no centro', 'Centro Histórico', 'Sé'],
    ['farmácia perto do metrô Ana Rosa', 'Estação Ana Rosa', 'Vila Mariana'],
    ['presente no Shopping Eldorado', 'Shopping Eldorado', 'Pinheiros'],
    ['livros perto da USP', 'Universidade de São Paulo', 'Butantã'],
    ['hambúrguer na Vila Olímpia', 'Vila Olímpia', 'Itaim Bibi'],
    ['zapatos cerca de la Rua Augusta', 'Rua Augusta', 'Consolação'],
    ['chaussures près du Parc Ibirapuera', 'Parque Ibirapuera', 'Moema'],
    ['scarpe vicino al Mercado Municipal', 'Mercado Municipal de São Paulo', 'Sé'],
    ['кафе рядом с МАСП', 'MASP', 'Bela Vista'],
    ['сувениры на Авенида Паулиста', 'Avenida Paulista', 'Bela Vista'],
    ['パウリスタ大通りの近くのカフェ', 'Avenida Paulista', 'Bela Vista'],
    ['伊比拉普埃拉公园附近的咖啡', 'Parque Ibirapuera', 'Moema'],
    ['이비라푸에라 공원 근처 커피', 'Parque Ibirapuera', 'Moema'],
  ])(
    '"%s" prefers what is near %s (%s) and says how to search there',
    async (query, name, near) => {
      const { messages, interpretation, applied_filters: filters } = await ask({ query });
      expect(interpretation.unmatched_terms).toEqual([]);
      expect(messages[0]).toMatch(
        new RegExp(
          `^"${name}" is in São Paulo, near the stores of the district ${near}; what is found near it comes first\\. ` +
            'To search around it alone, pass latitude: -23\\.\\d+, longitude: -46\\.\\d+ and radius_meters: \\d+\\.$',
        ),
      );
      expect(messages.join(' ')).not.toMatch(/searched for|names nothing/);
      expect(filters).toEqual({ city: 'São Paulo', city_defaulted: true });
    },
  );

  it('is no filter: what is near comes before what fits as well elsewhere', async () => {
    const query = 'café perto da Paulista';
    const near = await ask({ query });
    const plain = await ask({ query: 'café' });
    const scores = new Map(plain.products.map(({ id, score }) => [id, score]));
    const circle = { latitude: -23.562, longitude: -46.655, radius_meters: 2500 };
    const close = await ask({ query: 'café', ...circle });
    const isClose = (id: number) => close.products.some((product) => product.id === id);
    const kept = near.products.filter(({ id, score }) => score === scores.get(id));
    expect(kept.length).toBeGreaterThan(0);
    for (const { id } of kept) expect(isClose(id)).toBe(true);
    expect(near.products.some(({ id }) => !isClose(id))).toBe(true);
  });

  it('alone gives what is there, offers as well', async () => {
    const { products } = await ask({ query: 'stores near Paulista avenue' });
    expect(['Bela Vista', 'Consolação', 'Jardim Paulista', 'República']).toContain(
      products[0]?.nearest_store?.district,
    );
    expect(products.map(({ name }) => name)).not.toContain('Virado à paulista');
    const { offers, messages } = await searchOffers(url, { query: 'na Vila Madalena' });
    expect(offers.length).toBeGreaterThan(0);
    expect(messages[0]).toContain('"Vila Madalena" is in São Paulo');
  });

  it.each([
    ['sushi in the Liberty district', 'Liberdade', 'São Paulo'],
    ['sushi in Japantown', 'Liberdade', 'São Paulo'],
    ['リベルダージ 寿司', 'Liberdade', 'São Paulo'],
    ['ropa en Koreatown', 'Bom Retiro', 'São Paulo'],
    ['科帕卡巴纳附近的餐厅', 'Copacabana', 'Rio de Janeiro'],
    ['ресторан на Копакабане', 'Copacabana', 'Rio de Janeiro'],
  ])('"%s" names the district %s by another name', async (query, name, city) => {
    const { messages } = await ask({ query });
    expect(messages[0]).toMatch(`"${name}" is a district of ${city}: to search there alone, pass`);
  });

  it('in another city is searched for there, and told with its coordinates', async () => {
    const query = 'tacos near Praia de Botafogo';
    const { messages, applied_filters: filters, products } = await ask({ query });
    expect(filters).toEqual({ city: 'Rio de Janeiro' });
    expect(products[0]?.nearest_store?.city).toBe('Rio de Janeiro');
    expect(messages[0]).toBe(
      '"Praia de Botafogo" is in Rio de Janeiro, near the stores of the district Botafogo; what is found near it comes first. To search around it alone, pass latitude: -22.947, longitude: -43.182 and radius_meters: 2000.',
    );
    const kept = await ask({ query, city: 'São Paulo' });
    expect(kept.applied_filters).toEqual({ city: 'São Paulo' });
    expect(kept.messages[0]).toContain('near the stores of the district Botafogo. To search');
    const around = { latitude: -22.947, longitude: -43.182, radius_meters: 2000 };
    const there = await ask({ query: 'tacos near Praia de Botafogo', ...around });
    expect(there.messages).toEqual([]);
    expect(there.products[0]?.nearest_store?.city).toBe('Rio de Janeiro');
  });

  it.each([
    ...['virado à paulista', 'suco de limão', 'bife à paulista', 'estátua da liberdade'],
    ...['camisa do Flamengo', 'biscoito Santa Cruz', 'sandália Ipanema', 'pão de açúcar'],
    ...['chocolate ao leite em barra', 'boia na lagoa', 'feriado 9 de julho'],
    ...['plano de saúde', 'centro de mesa', 'peru de natal', 'luz'],
  ])('"%s" names none', async (query) => {
    const { messages } = await ask({ query });
    expect(messages.join(' ')).not.toMatch(/is in|district/);
  });
});

describe('a place in its field', () => {
  it.each([
    ['Campinas SP', 'Campinas'],
    ['Campinas - São Paulo, Brasil', 'Campinas'],
    ['Sao Paulo, Brazil', 'São Paulo'],
    ['São Paulo - SP', 'São Paulo'],
    ['sao paulo brasil', 'São Paulo'],
    ['Rio de Janeiro/RJ', 'Rio de Janeiro'],
    ['Rio, Brésil', 'Rio de Janeiro'],
    ['圣保罗', 'São Paulo'],
    ['リオデジャネイロ', 'Rio de Janeiro'],
    ['Сан-Паулу, Бразилия', 'São Paulo'],
  ])('city "%s" is %s', async (city, name) => {
    const { applied_filters: filters, products } = await ask({ city, limit: 1 });
    expect(filters).toEqual({ city: name });
    expect(products[0]?.nearest_store?.city).toBe(name);
  });

  it.each([
    ['Pinheiros, São Paulo', 'Pinheiros'],
    ['Japantown', 'Liberdade'],
    ['Koreatown', 'Bom Retiro'],
  ])('district "%s" is %s', async (district, name) => {
    const { applied_filters: filters } = await ask({ district, limit: 1 });
    expect(filters.district).toBe(name);
  });

  it.each([
    [{ district: 'Copacabana' }, 'pass city: "Rio de Janeiro" and district: "Copacabana"'],
    [{ district: 'Copacabana, RJ' }, 'pass city: "Rio de Janeiro" and district: "Copacabana"'],
    [
      { district: 'Copacabana', city: 'São Paulo' },
      '"Copacabana" is a district of Rio de Janeiro: pass',
    ],
    [{ city: 'Copacabana' }, 'pass city: "Rio de Janeiro" and district: "Copacabana"'],
    [{ district: 'Centro, Campinas' }, '"Centro" is a district of Campinas: pass city: "Campinas"'],
    [{ district: 'Campinas' }, '"Campinas" is a city of the catalog: if that is meant, pass city'],
    [{ city: 'Campinas, GO' }, 'knows no city named "Campinas, GO"'],
    [
      { district: 'Vila Madalena' },
      'pass city: "São Paulo" and district: "Pinheiros", or latitude: -23.554',
    ],
  ])('%j is not loosened, and the answer says where it is', async (args, message) => {
    const { products, messages } = await ask({ ...args, query: 'pizza' });
    expect(products).toEqual([]);
    expect(messages.join(' ')).toContain(message);
    expect(messages.join(' ')).not.toContain('Close known names');
  });
});

describe('coordinates where no store is', () => {
  it.each([
    [
      'exchanged',
      -46.6333,
      -23.5505,
      /exchanged\? latitude: -23.5505, longitude: -46.6333 lies in/,
    ],
    [
      'without signs',
      23.5505,
      46.6333,
      /minus sign lost\? latitude: -23.5505, longitude: -46.6333/,
    ],
    ['without one sign', -23.5505, 46.6333, /minus sign lost\? latitude: -23.5505/],
    ['both', 46.6333, 23.5505, /exchanged, and a minus sign lost\? latitude: -23.5505/],
    [
      'elsewhere',
      52.52,
      13.4,
      /within 50 km of latitude 52.52, longitude 13.4\. A city or district/,
    ],
    [
      'beside the city',
      -23.9,
      -46.7,
      /within 5000 m of these coordinates; the nearest is about 13 km/,
    ],
  ])('%s are told as that', async (_, latitude, longitude, message) => {
    const { products, messages } = await ask({ latitude, longitude, query: 'pizza' });
    expect(products).toEqual([]);
    expect(messages.join(' ')).toMatch(message);
  });

  it('that are not of the city beside them are told as that', async () => {
    const args = { latitude: -22.97, longitude: -43.18, city: 'São Paulo' };
    const { messages } = await ask({ ...args, query: 'pizza' });
    expect(messages[0]).toContain('These coordinates lie near Rio de Janeiro, not in São Paulo');
  });

  it('say nothing where stores are, whatever is found', async () => {
    const here = { latitude: -23.5505, longitude: -46.6333 };
    expect((await ask({ ...here, query: 'pizza' })).messages).toEqual([]);
    expect((await ask({ ...here, query: 'xyzzy' })).messages.join(' ')).not.toMatch(/coordinates/);
  });
});
