import { nameKey } from './places.ts';
import { remembered } from './remembered.ts';

/** The fallback drawing. */
const GENERAL = 'vitrine';

/** The drawings of public/ilustracoes, each with the singular words of categories and titles that select it. */
const DRAWINGS: Record<string, string> = {
  [GENERAL]: 'loja vitrine',
  prato:
    'restaurante comida alimentacao almoco jantar prato marmita refeicao feijoada bufe vegetariana vegano brasileira executivo parmegiana moqueca',
  massa: 'italiana massa lasanha macarrao espaguete nhoque yakisoba lamen chinesa ravioli coreano',
  sushi: 'japonesa sushi sashimi temaki combinado hossomaki',
  pizza: 'pizza pizzaria calzone esfiha',
  lanche:
    'lanche hamburguer hamburgueria sanduiche salgado pastel pastelaria coxinha shawarma taco burrito mexicana kebab arabe falafel',
  pao: 'padaria pao baguete croissant torta',
  bolo: 'bolo doce confeitaria sobremesa brigadeiro chocolate festa cheesecake bombom pudim',
  sorvete: 'acai sorvete sorveteria picole gelato milkshake',
  cafe: 'cafe cafeteria cappuccino espresso cha',
  suco: 'suco smoothie limonada caldo garapa',
  mercado: 'mercado mercearia supermercado arroz feijao azeite oleo cesta granel despensa',
  vinho: 'vinho adega espumante malbec cabernet',
  cerveja: 'cerveja chope destilado cachaca gin whisky vodka bar',
  garrafa: 'bebida refrigerante agua leite galao energetico',
  fruta: 'hortifruti fruta verdura legume organico feira maca banana morango tomate sacolao',
  carne: 'carne acougue churrascaria churrasco picanha frango linguica rodizio',
  peixe: 'peixe peixaria salmao camarao aquarismo aquario tilapia',
  queijo: 'queijo frio laticinio iogurte manteiga presunto',
  limpeza: 'limpeza detergente sabao amaciante desinfetante faxina diarista',
  farmacia:
    'farmacia drogaria farma saude curativo termometro medidor pressao socorro vacina consulta',
  comprimido:
    'medicamento remedio comprimido vitamina suplemento capsula generico antialergico xarope',
  perfume: 'perfume perfumaria beleza colonia cosmetico hidratante skincare pele protetor',
  maquiagem: 'maquiagem batom base rimel esmalte manicure pedicure unha',
  bebe: 'bebe fralda mamadeira carrinho cadeirinha lenco chupeta',
  pet: 'pet racao cachorro gato veterinario veterinaria cao banho coleira',
  roupa: 'roupa moda camiseta camisa calca bermuda masculina infantil short jaqueta terno',
  vestido: 'vestido feminina saia blusa biquini maio praia legging',
  tenis: 'tenis calcado sapato sandalia chinelo bota corrida sapatilha',
  bolsa: 'bolsa mochila mala carteira viagem',
  joia: 'joia relogio anel alianca colar brinco pulseira',
  celular: 'celular smartphone iphone tablet capinha pelicula carregador galaxy',
  notebook:
    'notebook computador informatica monitor mouse teclado impressora cartucho eletronico tecnica',
  fone: 'audio fone caixa som bluetooth headset',
  tv: 'tv televisao televisor video projetor smart',
  game: 'game jogo videogame playstation xbox nintendo console',
  movel: 'movel sofa mesa cadeira estante armario poltrona casa sala',
  cama: 'cama colchao lencol edredom travesseiro toalha',
  panela:
    'panela utensilio cozinha frigideira talher fritadeira fryer eletroportateis liquidificador',
  geladeira: 'geladeira eletrodomestico fogao lavadora micro',
  ferramenta:
    'ferramenta construcao furadeira tinta parafuso reparo conserto assistencia instalacao encanador pintura martelo',
  lampada: 'iluminacao lampada eletrica luminaria abajur eletricista',
  planta: 'planta jardim decoracao vaso jardinagem',
  flor: 'flor buque floricultura rosa orquidea',
  presente: 'presente cartao embrulho lembranca',
  brinquedo: 'brinquedo boneca lego pelucia',
  livro: 'livro livraria romance gibi cultura leitura',
  papelaria: 'papelaria caderno caneta lapis sulfite escolar papel',
  oculos: 'otica oculos lente armacao grau',
  bola: 'esporte lazer bola futebol camping barraca',
  bicicleta: 'bicicleta bike ciclismo capacete patinete',
  carro: 'automotivo carro pneu motor lavagem rapido oficina moto alinhamento',
  musica: 'musica musical instrumento violao guitarra teclado piano ukulele',
  tesoura: 'cabeleireiro barbearia corte cabelo barba costura penteado salao',
  cuidado: 'estetica higiene massagem terapia bem estar nutricao nutricionista depilacao',
  dente: 'dentista odontologia dente dental clareamento',
  chave: 'chaveiro chave fechadura cadeado',
  roupalavada: 'lavanderia lavar passar',
  camera: 'fotografia foto camera ensaio',
  aula: 'aula curso escola reforco ingles',
  academia: 'academia musculacao pilates treino fitness',
  pagamento: 'pagamento pix cartao cashback parcelado credito debito desconto',
};

const BY_WORD = new Map(
  Object.entries(DRAWINGS).flatMap(([drawing, words]) =>
    words.split(' ').map((word) => [word, drawing] as const),
  ),
);

/** Words that yield to a more specific one: comida italiana, moda praia, alimentação do bebê. */
const BROAD = new Set(['comida', 'alimentacao', 'moda', 'roupa', 'higiene', 'casa', 'infantil']);

/** The paths of all drawings that a page may show. */
export const ILLUSTRATIONS: readonly string[] = Object.keys(DRAWINGS).map(pathOf);

/** Picks a drawing for a record without a picture from texts about it, the most reliable text first. */
export function illustrationOf(about: readonly (string | null | undefined)[]): string {
  for (const text of about) {
    const drawing = text ? drawingOf(text) : null;
    if (drawing !== null) return pathOf(drawing);
  }
  return pathOf(GENERAL);
}

/** The pages of a merchant follow one another, and show each other's records. */
const TEXTS_REMEMBERED = 5000;

/** Finds the drawing that a word of a text names; null if none does. */
const drawingOf = remembered((text: string): string | null => {
  let broad: string | null = null;
  for (const written of nameKey(text).split(' ')) {
    const word = BY_WORD.has(written) ? written : singularOf(written);
    const drawing = BY_WORD.get(word) ?? null;
    if (drawing !== null && !BROAD.has(word)) return drawing;
    broad ??= drawing;
  }
  return broad;
}, TEXTS_REMEMBERED);

function pathOf(drawing: string): string {
  return `/ilustracoes/${drawing}.svg`;
}

/** Covers the plurals of catalog words: pães, móveis, sabões, flores, joias. */
function singularOf(word: string): string {
  if (/[ao]es$/.test(word)) return `${word.slice(0, -3)}ao`;
  if (/[aeou]is$/.test(word)) return `${word.slice(0, -2)}l`;
  if (/[rz]es$/.test(word)) return word.slice(0, -2);
  if (/ns$/.test(word)) return `${word.slice(0, -2)}m`;
  return word.replace(/s$/, '');
}
