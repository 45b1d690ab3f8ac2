import { shortName } from '../../domain/links.ts';
import {
  type SearchMessage,
  type Sentences,
  sayMessage,
  type Without,
} from '../../search/messages.ts';
import type { PageQuery } from './query.ts';

/** A message of the search page, and the search that it suggests. */
export type PageMessage = { text: string; link?: { label: string; query: Partial<PageQuery> } };

/** Says messages of the search to people, in Portuguese, each sentence once. */
export function pageMessages(messages: readonly SearchMessage[]): PageMessage[] {
  const told = new Map<string, PageMessage>();
  for (const message of messages) {
    const said = sayMessage(SENTENCES, message);
    if (said === null) continue;
    const shown = typeof said === 'string' ? { text: said } : said;
    told.set(shown.text, shown);
  }
  return [...told.values()];
}

/** About a field that the page does not have. */
const forAgents = () => null;
const inCity = (city: string) => ({
  label: `Procurar em ${shortName(city)}`,
  query: { city, district: '' },
});
const inDistrict = (district: string, city: string) => ({
  label: `Só em ${shortName(district)}`,
  query: { city, district },
});
const labels = (exclusions: readonly Without[]) => exclusions.map(({ label }) => label).join(' e ');
const understood = (exclusions: readonly Without[]) => `Entendemos assim: ${labels(exclusions)}.`;
const CHECK = 'Confira o rótulo ou a loja.';
const LEFT_OUT = `Deixamos de fora o que diz ter o que você quer evitar. ${CHECK}`;

const SENTENCES: Sentences<PageMessage | string | null> = {
  'unknown-city': ({ name }) => `Ainda não temos lojas em ${name}.`,
  'unknown-district': ({ name, city }) =>
    `Ainda não temos lojas no bairro ${name}, ${shortName(city)}.`,
  'unknown-merchant': forAgents,
  'unknown-category': forAgents,
  'unknown-merchant-id': forAgents,
  'category-by-meaning': forAgents,
  'broader-category': forAgents,

  'city-mentioned': ({ city, isSearched }) =>
    isSearched
      ? `Buscamos em ${shortName(city)}.`
      : { text: `A busca não ficou em ${shortName(city)}.`, link: inCity(city) },
  'district-mentioned': ({ district, city, isPreferred }) => ({
    text: isPreferred
      ? `O que fica em ${shortName(district)}, ${shortName(city)}, vem primeiro.`
      : `A busca não ficou em ${shortName(district)}, ${shortName(city)}.`,
    link: inDistrict(district, city),
  }),
  'spot-mentioned': ({ spot: { name, city, district }, isPreferred }) =>
    isPreferred
      ? `O que fica perto de ${shortName(name)} vem primeiro.`
      : {
          text: `A busca não ficou perto de ${shortName(name)}.`,
          link: district === null ? inCity(city) : inDistrict(district, city),
        },
  'price-mentioned': ({ price: { min, max, isForeign } }) =>
    isForeign || (min === null && max === null)
      ? 'O preço não limita a busca: para isso, preencha “De” e “Até”, em reais.'
      : {
          text: 'O que cabe no preço vem primeiro.',
          link: { label: 'Só o que cabe no preço', query: { minPrice: min, maxPrice: max } },
        },
  'merchant-mentioned': ({ merchant }) => `O que é de ${shortName(merchant)} vem primeiro.`,

  'offers-wished': () => 'O que está em oferta aparece primeiro.',
  'cheap-wished': () => 'Do mais barato, de todo tipo.',
  'anything-wished': () => 'Um pouco de tudo o que há.',
  'food-wished': () => 'Para comer agora: pratos e lanches prontos.',
  'kids-wished': () => 'Coisas para crianças: brinquedos, livros, roupas e mais.',
  'gift-wished': () => 'Ideias de presente.',
  'follow-up': () => 'Escreva a pergunta inteira, com o que você procura.',
  'names-nothing': () => 'Não entendemos o que você procura. Tente com o nome de um produto.',
  alternative: ({ label }) => ({
    text: 'Quis dizer outra coisa?',
    link: { label, query: { words: label } },
  }),
  'near-what': () => 'Para ver o que fica perto, diga a cidade ou o bairro.',
  'unknown-facts': () => 'Horários e entregas variam: confirme com a loja antes de ir.',

  corrected: ({ typed, meant }) => `Nada para “${typed}”. Buscamos “${meant}”.`,
  'broader-kind': ({ wanted, found }) => `Não achamos “${wanted}”. Isto é parecido: ${found}.`,
  'nearest-category': ({ category }) =>
    `Não achamos exatamente isso. Veja o que há em ${category}.`,
  'literal-words': ({ words }) => `Buscamos as palavras como estão escritas: ${words.join(', ')}.`,
  'out-of-stock': ({ products }) =>
    `Esgotado no momento: ${products.map((name) => shortName(name)).join(', ')}.`,
  'other-categories': forAgents,
  'other-cities': ({ city, cities: [other = city] }) => ({
    text: `Não achamos isso em ${city}.`,
    link: inCity(other),
  }),

  'all-left-out': () => 'Tudo o que achamos tem o que você quer evitar, por isso nada aparece.',
  excluded: ({ exclusions, leftOut }) => (leftOut === 0 ? understood(exclusions) : LEFT_OUT),
  diets: ({ diets, leftOut }) => (leftOut === 0 ? `${understood(diets)} ${CHECK}` : LEFT_OUT),

  'coordinates-elsewhere': forAgents,
  'no-store-within': forAgents,
  'no-store-near': forAgents,
  shortened: forAgents,
};
