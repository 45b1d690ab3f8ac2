import type { Place, Spot } from '../../src/understand/types.ts';
import type { Told } from './told.ts';

const spot: Spot = {
  ...{ kind: 'spot', name: 'MASP', city: 'São Paulo', district: 'Bela Vista' },
  ...{ latitude: -23.56, longitude: -46.65, radiusMeters: 800, nearMeters: 2000 },
};
const beach: Spot = { ...spot, name: 'Praia', city: 'Santos', district: null };
const centro: Place = { kind: 'district', name: 'Centro', city: 'Santos' };
const santos: Place = { kind: 'city', name: 'Santos', city: 'Santos' };
const inSantos = { label: 'Procurar em Santos', query: { city: 'Santos', district: '' } };
const inCentro = {
  text: 'O que fica em Centro, Santos, vem primeiro.',
  link: { label: 'Só em Centro', query: { city: 'Santos', district: 'Centro' } },
};

const isVolt = '"Volt" is a merchant of the catalog';
const ofVolt = 'O que é de Volt vem primeiro.';
const there = { latitude: 23, longitude: -46, withinMeters: 50_000 };
const meant = { latitude: -23, longitude: -46, city: 'São Paulo' };
const noStore = 'No store of the catalog lies within 50 km of latitude 23, longitude -46.';
const isThere = 'latitude: -23, longitude: -46 lies in São Paulo.';

const price = (min: number | null, max: number | null, isForeign = false) => ({
  price: { min, max, isForeign },
});
const first =
  'The query speaks of a price: what keeps to it comes first; to leave out the rest, pass';
const unlimited: [string, string] = [
  'The query speaks of a price, which limits nothing by itself: pass min_price and max_price, in BRL.',
  'O preço não limita a busca: para isso, preencha “De” e “Até”, em reais.',
];
const inPrice = (minPrice: number | null, maxPrice: number | null) => ({
  text: 'O que cabe no preço vem primeiro.',
  link: { label: 'Só o que cabe no preço', query: { minPrice, maxPrice } },
});

/** How messages about filters, and about what the query mentions that filters are for, are said. */
export const TOLD_OF_FIELDS = {
  'unknown-city': [
    [
      { name: 'Ó "X"', places: [], suggestions: [] },
      'The catalog knows no city named "Ó "X"".',
      'Ainda não temos lojas em Ó "X".',
    ],
    [
      { name: 'Camp', places: [], suggestions: ['Campinas', 'Campos'] },
      'The catalog knows no city named "Camp". Close known names: Campinas, Campos.',
      'Ainda não temos lojas em Camp.',
    ],
    [
      { name: 'Centro', places: [centro, santos], suggestions: ['Campinas'] },
      'The catalog knows no city named "Centro". "Centro" is a district of Santos: pass city: "Santos" and district: "Centro". "Santos" is a city of the catalog: if that is meant, pass city: "Santos".',
      'Ainda não temos lojas em Centro.',
    ],
  ],
  'unknown-district': [
    [
      { name: 'X', city: 'Itu', places: [spot, beach], suggestions: [] },
      'The catalog knows no district of Itu named "X". "MASP" is in São Paulo, near the stores of the district Bela Vista: pass city: "São Paulo" and district: "Bela Vista", or latitude: -23.56, longitude: -46.65 and radius_meters: 800 instead. "Praia" is in Santos: pass latitude: -23.56, longitude: -46.65 and radius_meters: 800 instead.',
      'Ainda não temos lojas no bairro X, Itu.',
    ],
  ],
  'unknown-merchant': [
    [
      { name: 'Zé', suggestions: ['Zezé'] },
      'The catalog knows no merchant named "Zé". Close known names: Zezé.',
      null,
    ],
  ],
  'unknown-category': [
    [{ name: 'Zé', suggestions: [] }, 'The catalog knows no category named "Zé".', null],
  ],
  'unknown-merchant-id': [[{ id: 7 }, 'No merchant has the id 7.', null]],
  'category-by-meaning': [
    [
      { name: 'shoes', categories: ['Calçados', 'Tênis'] },
      'The category "shoes" was understood as Calçados, Tênis.',
      null,
    ],
  ],
  'broader-category': [
    [
      { name: 'clogs', categories: ['Calçados'] },
      'No category is called "clogs": this is kept to the nearest, Calçados.',
      null,
    ],
  ],

  'city-mentioned': [
    [
      { city: 'Santos', isSearched: true },
      '"Santos" is a city of the catalog, and this is what is found there: to search elsewhere, pass city.',
      'Buscamos em Santos.',
    ],
    [
      { city: 'Santos', isSearched: false },
      '"Santos" is a city of the catalog: to search there, pass city: "Santos".',
      { text: 'A busca não ficou em Santos.', link: inSantos },
    ],
  ],
  'district-mentioned': [
    [
      { district: 'Centro', city: 'Santos', isUsual: true, isPreferred: true },
      '"Centro" is a district of Santos: to search there alone, pass district: "Centro".',
      inCentro,
    ],
    [
      { district: 'Centro', city: 'Santos', isUsual: false, isPreferred: false },
      '"Centro" is a district of Santos: to search there alone, pass city: "Santos" and district: "Centro".',
      { ...inCentro, text: 'A busca não ficou em Centro, Santos.' },
    ],
  ],
  'spot-mentioned': [
    [
      { spot, isPreferred: true },
      '"MASP" is in São Paulo, near the stores of the district Bela Vista; what is found near it comes first. To search around it alone, pass latitude: -23.56, longitude: -46.65 and radius_meters: 800.',
      'O que fica perto de MASP vem primeiro.',
    ],
    [
      { spot, isPreferred: false },
      '"MASP" is in São Paulo, near the stores of the district Bela Vista. To search around it alone, pass latitude: -23.56, longitude: -46.65 and radius_meters: 800.',
      {
        text: 'A busca não ficou perto de MASP.',
        link: { label: 'Só em Bela Vista', query: { city: 'São Paulo', district: 'Bela Vista' } },
      },
    ],
    [
      { spot: beach, isPreferred: false },
      '"Praia" is in Santos. To search around it alone, pass latitude: -23.56, longitude: -46.65 and radius_meters: 800.',
      { text: 'A busca não ficou perto de Praia.', link: inSantos },
    ],
  ],
  'price-mentioned': [
    [price(20, 59.9), `${first} min_price: 20 and max_price: 59.9.`, inPrice(20, 59.9)],
    [price(1000, null), `${first} min_price: 1000.`, inPrice(1000, null)],
    [price(null, 0.5), `${first} max_price: 0.5.`, inPrice(null, 0.5)],
    [price(null, 50, true), ...unlimited],
    [price(null, null), ...unlimited],
  ],
  'merchant-mentioned': [
    [
      { merchant: 'Volt', isAlone: true },
      `${isVolt}, and this is what is found there: to search for something there, pass merchant: "Volt" beside the query.`,
      ofVolt,
    ],
    [
      { merchant: 'Volt', isAlone: false },
      `${isVolt}: what is found there comes first; to search there alone, pass merchant: "Volt".`,
      ofVolt,
    ],
  ],

  'coordinates-elsewhere': [
    [
      { city: 'Itu', nearestCity: 'Santos' },
      'These coordinates lie near Santos, not in Itu: pass city: "Santos", or no city with them.',
      null,
    ],
  ],
  'no-store-within': [
    [
      { radiusMeters: 500, nearestMeters: 1001, nearestCity: 'Santos' },
      'No store of the catalog lies within 500 m of these coordinates; the nearest is about 2 km away, in Santos: a greater radius_meters reaches it.',
      null,
    ],
  ],
  'no-store-near': [
    [{ ...there, meant: null }, `${noStore} A city or district says where as well.`, null],
    [
      { ...there, meant: { ...meant, mistake: 'exchanged' } },
      `${noStore} Were latitude and longitude exchanged? ${isThere}`,
      null,
    ],
    [
      { ...there, meant: { ...meant, mistake: 'sign' } },
      `${noStore} Was a minus sign lost? ${isThere}`,
      null,
    ],
    [
      { ...there, meant: { ...meant, mistake: 'exchanged and sign' } },
      `${noStore} Were latitude and longitude exchanged, and a minus sign lost? ${isThere}`,
      null,
    ],
  ],
} satisfies Partial<Told>;
