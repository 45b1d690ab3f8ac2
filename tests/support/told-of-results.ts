import type { Told } from './told.ts';

const gluten = { tells: 'without gluten', label: 'sem glúten' };
const nuts = { tells: 'without nuts', label: 'sem nozes' };
const dropped = 'Records that name what is excluded are left out.';
const noGuarantee =
  'Texts of the catalog are no guarantee for an allergy or a diet: read the label or ask the store.';
const leftOut =
  'Deixamos de fora o que diz ter o que você quer evitar. Confira o rótulo ou a loja.';

/** How messages about the wish of a query and about what was found are said. */
export const TOLD_OF_RESULTS = {
  'offers-wished': [
    [
      { records: 'products' },
      'Understood as a wish for whatever is on offer: products with a current offer come first; search_local_offers has the offers themselves.',
      'O que está em oferta aparece primeiro.',
    ],
    [
      { records: 'offers' },
      'Understood as a wish for whatever is on offer: these are current offers, by quality, place and price.',
      'O que está em oferta aparece primeiro.',
    ],
  ],
  'cheap-wished': [
    [
      { records: 'offers' },
      'Understood as a wish for anything cheap: these are offers of all kinds.',
      'Do mais barato, de todo tipo.',
    ],
  ],
  'anything-wished': [
    [
      { records: 'products' },
      'Understood as a wish to see what there is: these are products of all kinds.',
      'Um pouco de tudo o que há.',
    ],
  ],
  'food-wished': [
    [
      {},
      'Understood as a wish for something to eat now: meals and snacks that are ready.',
      'Para comer agora: pratos e lanches prontos.',
    ],
  ],
  'kids-wished': [
    [
      {},
      'Understood as a wish for things for children: toys, books, clothes and the like.',
      'Coisas para crianças: brinquedos, livros, roupas e mais.',
    ],
  ],
  'gift-wished': [
    [
      { concepts: ['presente para mãe', 'flores'] },
      'Understood as a wish for a gift (presente para mãe, flores): things to give for that first, then other gifts.',
      'Ideias de presente.',
    ],
  ],
  'follow-up': [
    [
      {},
      'The query is a follow-up that names nothing to search for, and earlier questions are not kept here: send the whole question again, with the thing that it is about.',
      'Escreva a pergunta inteira, com o que você procura.',
    ],
  ],
  'names-nothing': [
    [
      {},
      'The query names nothing that the catalog knows.',
      'Não entendemos o que você procura. Tente com o nome de um produto.',
    ],
  ],
  alternative: [
    [
      { label: 'banqueta' },
      'The query may also mean "banqueta".',
      {
        text: 'Quis dizer outra coisa?',
        link: { label: 'banqueta', query: { words: 'banqueta' } },
      },
    ],
  ],
  'near-what': [
    [
      {},
      'The query asks for something near: latitude and longitude, or a district, say where.',
      'Para ver o que fica perto, diga a cidade ou o bairro.',
    ],
  ],
  'unknown-facts': [
    [
      { openingHours: true, deliveries: true },
      'The catalog knows nothing of opening hours and deliveries: ask the store.',
      'Horários e entregas variam: confirme com a loja antes de ir.',
    ],
    [
      { openingHours: false, deliveries: true },
      'The catalog knows nothing of deliveries: ask the store.',
      'Horários e entregas variam: confirme com a loja antes de ir.',
    ],
  ],

  corrected: [
    [
      { typed: 'jequitbia', meant: 'jequitiba' },
      'The catalog has no "jequitbia"; searched for "jequitiba".',
      'Nada para “jequitbia”. Buscamos “jequitiba”.',
    ],
  ],
  'broader-kind': [
    [
      { wanted: 'faca do chef', found: 'faca' },
      'Nothing is known as "faca do chef": these are of its kind, "faca".',
      'Não achamos “faca do chef”. Isto é parecido: faca.',
    ],
  ],
  'nearest-category': [
    [
      { category: 'Decoração' },
      'Nothing matches the query itself; these are from the nearest category, Decoração.',
      'Não achamos exatamente isso. Veja o que há em Decoração.',
    ],
  ],
  'literal-words': [
    [
      { words: ['produto', 'marca'] },
      'Searched for the words as they are written: produto, marca.',
      'Buscamos as palavras como estão escritas: produto, marca.',
    ],
  ],
  'out-of-stock': [
    [
      { products: ['TV 50"\nLED', 'Pão'] },
      'Out of stock, and therefore left out: "TV 50" LED", "Pão". To see such products, pass in_stock_only: false.',
      'Esgotado no momento: TV 50" LED, Pão.',
    ],
  ],
  'other-categories': [
    [
      { category: 'Moda', categories: ['Casa', 'Jardim'] },
      'Nothing in the category Moda, but elsewhere: to search there, pass category: "Casa", "Jardim".',
      null,
    ],
  ],
  'other-cities': [
    [
      { city: 'Itu', cities: ['Santos', 'Campinas'] },
      'Nothing in Itu, but elsewhere in the catalog: to search there, pass city: "Santos", "Campinas".',
      {
        text: 'Não achamos isso em Itu.',
        link: { label: 'Procurar em Santos', query: { city: 'Santos', district: '' } },
      },
    ],
  ],

  'all-left-out': [
    [
      { exclusions: [gluten, nuts] },
      'The query asks for things without gluten and without nuts: all that was found names it, so nothing is shown.',
      'Tudo o que achamos tem o que você quer evitar, por isso nada aparece.',
    ],
  ],
  excluded: [
    [
      { exclusions: [gluten, nuts], leftOut: 0 },
      'Understood as without gluten and without nuts.',
      'Entendemos assim: sem glúten e sem nozes.',
    ],
    [{ exclusions: [nuts], leftOut: 2 }, `Understood as without nuts. ${dropped}`, leftOut],
  ],
  diets: [
    [
      { diets: [gluten, nuts], shown: 3, known: 0, leftOut: 1 },
      `None of these is known to be without gluten and without nuts: ask the store. ${dropped} ${noGuarantee}`,
      leftOut,
    ],
    [
      { diets: [gluten], shown: 3, known: 1, leftOut: 0 },
      `Only 1 of these says that it is without gluten; none of the others is known to be. ${noGuarantee}`,
      'Entendemos assim: sem glúten. Confira o rótulo ou a loja.',
    ],
    [
      { diets: [gluten], shown: 3, known: 2, leftOut: 4 },
      `Only 2 of these say that they are without gluten; none of the others is known to be. ${dropped} ${noGuarantee}`,
      leftOut,
    ],
    [
      { diets: [gluten], shown: 3, known: 3, leftOut: 0 },
      `These say that they are without gluten. ${noGuarantee}`,
      'Entendemos assim: sem glúten. Confira o rótulo ou a loja.',
    ],
  ],

  shortened: [
    [
      { shown: 5, wanted: 20 },
      'Shortened to 5 of 20 records: the record quota of this minute is used up.',
      null,
    ],
  ],
} satisfies Partial<Told>;
