import type { Unit } from '../text/tokenize.ts';

/** What the words around a merchant's name tell about it. */
export type MerchantCues = {
  /** "loja …", "… store": a shop. */
  shop: boolean;
  /** "na …", "at …", "…で": a location. */
  at: boolean;
  /** "da …", "from …": an origin, but also a brand or flavour. */
  of: boolean;
};

type Sense = keyof MerchantCues | 'link';

const list = (sense: Sense, words: string) =>
  words.split(/\s+/).map((word): [string, Sense] => [word, sense]);

/** Words for "shop" beside a name. */
const SHOP = `loja lojas lojinha estabelecimento vendedor lojista merchant store shop seller tienda
  negocio comercio magasin boutique negozio geschaft laden winkel sklep butik butiken affar magazin
  magazinul obchod bolt uzlet dukkan magaza magazasi магазин магазине магазина магазину крамниця
  крамниці متجر محل חנות 店 商店 お店 상점 가게 toko cua hang ร้าน दुकान`;

// Folded, all languages together: only consulted beside the name of a merchant.
const BEFORE = new Map<string, Sense>([
  ...list('shop', SHOP),
  ...list(
    'at',
    'no na nos nas em at in inside chez bei beim im en nel nella presso bij w we u hos pa',
  ),
  ...list('at', 'v ve i в во у на στο στη στην в في عند من ב אצל 在 ที่ di ở'),
  ...list(
    'of',
    'do da dos das de del du des d of from by von vom di van z od fran от из από של 从 從 จาก dari',
  ),
  ...list('link', 'o a os as el los las le les il lo der die dem den the'),
]);

const AFTER = new Map<string, Sense>([
  ...list('shop', SHOP),
  ...list('at', 'で に から には では 에서 에 में पर'),
  ...list('of', 'の 의 的 के का की'),
]);

const MOST_AROUND = 3;

/**
 * Reads the cue words around the units [`from`, `to`), none before `floor`; returns the cues, and the range
 * [`start`, `end`) of the name with its cue words.
 */
export function readAroundMerchant(
  units: readonly Unit[],
  [from, to]: readonly [number, number],
  floor: number,
): { start: number; end: number; cues: MerchantCues } {
  const cues: MerchantCues = { shop: false, at: false, of: false };
  let start = from;
  for (let step = 0; step < MOST_AROUND && start > floor; step += 1) {
    const sense = BEFORE.get(units[start - 1]?.text ?? '');
    if (sense === undefined) break;
    if (sense !== 'link') cues[sense] = true;
    start -= 1;
  }
  let end = to;
  for (let step = 0; step < MOST_AROUND && end < units.length; step += 1) {
    const two = `${units[end]?.text ?? ''}${units[end + 1]?.text ?? ''}`;
    const isTwo = units[end]?.spaced === false && AFTER.has(two);
    const sense = isTwo ? AFTER.get(two) : AFTER.get(units[end]?.text ?? '');
    if (sense === undefined) break;
    if (sense !== 'link') cues[sense] = true;
    end += isTwo ? 2 : 1;
  }
  return { start, end, cues };
}

/** Words of many merchants' names, which identify none of them. */
export const GENERIC = new Set(
  `loja lojas lojinha casa casas mercado mercadinho mini super hiper comercio comercial emporio
  distribuidora atacado atacadao varejo armazem bazar shopping center centro express outlet online
  oficial store shop market bar grill food house the and e de do da dos das com em o a os as ltda me
  epp eireli mei sa s cia irmaos filhos grupo rede brasil novo nova popular`.split(/\s+/),
);

/** Words beside a merchant's name that ask for anything the merchant sells ("what do you have at …"). */
export const ANY_OF_HIS = new Set(
  `tem ter teria ha existe vende vendem vender oferece oferecem produto produtos item itens artigo
  artigos coisa coisas catalogo cardapio menu tudo opcoes mostra mostrar mostre ver quero what which
  does do you they have has sell sells selling carry products product items item stuff things
  everything show list see catalog que hay tiene tienen venden productos articulos qu est ce
  il y a t on que quoi vend vendent produits was gibt es hat verkauft produkte che cosa si vende
  prodotti wat verkoopt heeft producten co jest maja produkty что есть продается продает продают
  товары`.split(/\s+/),
);

/** The same as single characters, for scripts without spaces. */
export const ANY_OF_HIS_CHARACTERS = new Set(
  '有什么麼卖賣的些啥商品何があるますかのは뭐있어요나상품은는을',
);
