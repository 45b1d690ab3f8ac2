import type { PageQuery } from './query.ts';

/** A message of the search page, and the search that it suggests. */
export type PageMessage = { text: string; link?: { label: string; query: Partial<PageQuery> } };

type Say = (...parts: string[]) => PageMessage;
const say = (text: string): PageMessage => ({ text });
const inCity = (city: string) => ({
  label: `Procurar em ${city}`,
  query: { city, district: '' },
});

/** Messages for agents, by pattern, in words for people. Messages that match none are for agents only. */
const FORMS: [RegExp, Say][] = [
  [
    /^"(.+)" is a city of the catalog, and this/,
    (city = '') => say(`Mostrando o que há em ${city}.`),
  ],
  [
    /^"(.+)" is a city of the catalog: to search there, pass city: "(.+)"\.$/,
    (name = '', city = '') => ({ text: `A busca não ficou em ${name}.`, link: inCity(city) }),
  ],
  [
    /^"(.+)" is a district of (.+): to search there alone/,
    (district = '', city = '') => ({
      text: `O que fica em ${district}, ${city}, vem primeiro.`,
      link: { label: `Só em ${district}`, query: { city, district } },
    }),
  ],
  [/^"(.+)" is in .+ comes first/, (spot = '') => say(`O que fica perto de ${spot} vem primeiro.`)],
  [
    /^The query speaks of a price: .*?(?:min_price: ([\d.]+))?(?: and )?(?:max_price: ([\d.]+))?\.$/,
    (least = '', most = '') => ({
      text: 'O que cabe no preço vem primeiro.',
      link: {
        label: 'Só o que cabe no preço',
        query: {
          minPrice: least === '' ? null : Number(least),
          maxPrice: most === '' ? null : Number(most),
        },
      },
    }),
  ],
  [
    /^The catalog knows no city named "(.+?)"/,
    (city = '') => say(`Ainda não temos lojas em ${city}.`),
  ],
  [
    /^The catalog knows no district named "(.+?)"/,
    (district = '') => say(`Ainda não temos lojas no bairro ${district}.`),
  ],
  [
    /^The catalog has no "(.+)"; searched for "(.+)"\.$/,
    (typed = '', meant = '') => say(`Nada para “${typed}”. Buscamos “${meant}”.`),
  ],
  [
    /^Nothing is known as "(.+)": these are of its kind, "(.+)"\.$/,
    (wanted = '', kind = '') => say(`Não achamos “${wanted}”. Isto é parecido: ${kind}.`),
  ],
  [
    /^Nothing matches the query itself; these are from the nearest category, (.+)\.$/,
    (category = '') => say(`Não achamos exatamente isso. Veja o que há em ${category}.`),
  ],
  [
    /^Out of stock, and therefore left out: (.+)\. To see/,
    (names = '') => say(`Esgotado no momento: ${names.replaceAll('"', '')}.`),
  ],
  [
    /^Nothing in (.+), but elsewhere in the catalog: to search there, pass city: "([^"]+)"/,
    (city = '', other = '') => ({ text: `Não achamos isso em ${city}.`, link: inCity(other) }),
  ],
  [
    /^"(.+)" is a merchant of the catalog/,
    (merchant = '') => say(`O que é de ${merchant} vem primeiro.`),
  ],
  [
    /^The query asks for something near/,
    () => say('Para ver o que fica perto, diga a cidade ou o bairro.'),
  ],
  [
    /^The catalog knows nothing of/,
    () => say('Horários e entregas variam: confirme com a loja antes de ir.'),
  ],
  [
    /^The query asks for things .+ nothing is shown/,
    () => say('Tudo o que achamos tem o que você quer evitar, por isso nada aparece.'),
  ],
  [
    /no guarantee for an allergy|^Understood as .*left out\.$/,
    () => say('Deixamos de fora o que diz ter o que você quer evitar. Confira o rótulo ou a loja.'),
  ],
  [/^Understood as a wish for anything cheap/, () => say('Do mais barato, de todo tipo.')],
  [/^Understood as a wish for a gift/, () => say('Ideias de presente.')],
  [
    /^The query may also mean "(.+)"\.$/,
    (label = '') => ({
      text: 'Quis dizer outra coisa?',
      link: { label, query: { words: label } },
    }),
  ],
  [
    /^The query names nothing that the catalog knows/,
    () => say('Não entendemos o que você procura. Tente com o nome de um produto.'),
  ],
  [/^The query is a follow-up/, () => say('Escreva a pergunta inteira, com o que você procura.')],
];

/** Translates messages of the search for people, without duplicates. */
export function pageMessages(messages: readonly string[]): PageMessage[] {
  const told = new Map<string, PageMessage>();
  for (const message of messages) {
    for (const [form, words] of FORMS) {
      const found = form.exec(message);
      if (found === null) continue;
      const shown = words(...found.slice(1));
      told.set(shown.text, shown);
      break;
    }
  }
  return [...told.values()];
}
