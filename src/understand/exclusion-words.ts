import { tokenize, type Unit } from './tokenize.ts';
import type { Manner } from './types.ts';

/** Words of a language that exclude what stands after or before them. */
export type Marker = {
  words: readonly string[];
  /** The last word may go on ("alergi…"). */
  open: boolean;
  language: string;
  manner: Manner;
  side: 'after' | 'before';
};

// Longer phrases are found first, so that "não contém" is not "não".
const WITHOUT_AFTER: Record<string, string> = {
  pt: `sem, sem adição de, livre de, livres de, isento de, isenta de, não contém, que não contenha,
    não tenha, que não tem, que não leve, zero, nada de, não como, não posso comer, não pode comer, não bebo,
    não posso tomar, não consigo comer, evitar, exceto, tirando, menos o, menos a,
    não posso com, não posso beber, não posso usar, não pode ter, não tolero, não gosto de, não leva, detesto, odeio`,
  en: `without, without any, free of, free from, no, non, zero, with no, doesn't have, does not contain,
    doesn't contain, not containing, can't eat, can't have, cannot eat, cannot have, don't eat, doesn't eat,
    avoid, avoiding, except, nothing with, anything without, minus,
    can't take, cannot take, can't drink, cannot drink, don't drink, don't like, don't involve, doesn't involve,
    not involving, doesn't include, not including, can't stand, won't eat, hate, nothing`,
  es: `sin, sin nada de, libre de, libres de, exento de, nada de, que no tenga, que no contenga, no como,
    no puedo comer, no contiene, excepto,
    no puedo tomar, no puedo beber, no puedo con, no bebo, no me gusta, no me gustan, que no lleve, no lleva,
    no tolero, odio`,
  fr: `sans, exempt de, exempte de, pas de, ne contient pas de, ne mange pas de, je ne mange pas de, sauf,
    ne peux pas manger de, ne bois pas de, ne bois pas, n'aime pas, ne supporte pas, ne tolère pas, ne digère pas`,
  it: `senza, privo di, priva di, privi di, niente, non contiene, non mangio, non posso mangiare, che non contenga,
    non posso bere, non posso prendere, non bevo, non tollero, non mi piace, non mi piacciono, non digerisco`,
  de: `ohne, frei von, kein, keine, keinen, nicht mit, esse kein, esse keine, darf kein, darf keine, enthält kein,
    enthält keine, außer`,
  nl: `zonder, vrij van, geen, eet geen, bevat geen`,
  sv: `utan, fri från, fria från, inget, inga, ingen, äter inte`,
  da: `uden, fri for, ingen, intet, spiser ikke, uten, fri fra`,
  fi: 'ilman, ei sisällä, en syö, vailla',
  hu: 'nem tartalmaz, nem eszem',
  pl: `bez, bez dodatku, wolny od, wolne od, nie zawiera, nie jem, nie może zawierać,
    nie piję, nie mogę jeść, nie mogę pić, nie toleruję, nie lubię`,
  cs: 'bez, bez přidaného, neobsahuje, nejím',
  ro: 'fără, fără adaos de, nu conține, nu mănânc, lipsit de',
  ru: `без, без содержания, без добавления, не содержит, не ем, свободный от, нельзя, исключая, кроме,
    не пью, не могу есть, не могу пить, не переношу, нельзя есть, не люблю`,
  uk: `без, без додавання, не містить, не їм, не можна, крім,
    не п'ю, не можу їсти, не люблю`,
  el: 'χωρίς, δίχως, ελεύθερο από, δεν τρώω, όχι',
  tr: 'içinde olmasın',
  ar: `بدون, خالي من, خالية من, الخالي من, الخالية من, بلا, من دون, من غير, لا يحتوي على, لا تحتوي على, لا آكل, دون,
    لا أستطيع أكل, لا أستطيع شرب, لا يمكنني أكل, لا أشرب, لا أحب`,
  fa: 'بدون, فاقد, بی, عاری از',
  he: `ללא, בלי, נטול, נטולת, נטולי, לא מכיל, לא אוכל, לא אוכלת,
    לא יכול לאכול, לא יכולה לאכול, לא שותה, לא אוהב, לא אוהבת`,
  hi: 'बिना, बग़ैर, बगैर',
  ja: 'ノン',
  ko: '무, 노',
  zh: `无, 無, 不含, 不含有, 没有, 沒有, 不要, 不加, 零, 不能吃, 不吃, 不放, 免,
    不能喝, 不喝, 不能碰, 不想要, 不喜欢, 不喜歡`,
  th: 'ไม่มี, ไม่ใส่, ปราศจาก, ไม่ผสม, ไม่กิน, กินไม่ได้, ไร้, ไม่เอา, งด',
  vi: 'không, không có, không chứa, không ăn, không ăn được, trừ',
  id: 'tanpa, bebas, bebas dari, tidak mengandung, tidak ada, non, tidak makan, bukan',
};

const WITHOUT_BEFORE: Record<string, string> = {
  en: 'free',
  de: 'frei, freie, freies, freier, freien',
  nl: 'vrij, vrije',
  sv: 'fri, fritt, fria',
  da: 'fri, frit, frie',
  hu: 'nélkül, nélküli, mentes, mentesen, nem lehet benne',
  tr: `içermeyen, olmayan, olmadan, yemiyorum, içermez, olmasın, yok,
    yiyemem, yiyemiyorum, içmiyorum, içemem, sevmiyorum, istemiyorum`,
  fi: 'vapaa',
  hi: `के बिना, से मुक्त, मुक्त, रहित, फ्री, नहीं खाता, नहीं खाती, नहीं खा सकता, न हो, नहीं हो,
    नहीं पीता, नहीं पीती, नहीं खाते, नहीं चलेगा, भी नहीं चलेगा`,
  ja: `なし, 無し, ナシ, 抜き, ぬき, 不使用, フリー, ゼロ, が入っていない, の入っていない, を含まない, 無添加, を使わない,
    を使っていない, が入ってない, 入ってない, は食べられない, が食べられない, 食べられません, がない, のない, 以外, カット,
    が苦手, は苦手, が嫌い, が飲めない, は飲めない, が飲めません`,
  ko: `없는, 없이, 프리, 빼고, 뺀, 안 들어간, 이 안 들어간, 이 없는, 가 없는, 을 뺀, 를 뺀, 제외, 무첨가, 이 들어가지 않은, 가 들어가지 않은, 못 먹,
    못 마시는, 싫어, 안 먹는, 못 먹는, 안 들어가는`,
  zh: '除外',
  th: 'ฟรี',
  fa: 'ندارد, نداشته باشد',
};

const NOT_AFTER: Record<string, string> = {
  pt: 'não, não é, não uma, não um, não a, não o, que não seja, não quero, e não, não só',
  en: "not, not a, not the, not an, but not, isn't, don't want, do not want, not just",
  es: 'no, no un, no una, no el, no la, no es, que no sea, no quiero, pero no',
  fr: 'pas, pas un, pas une, pas la, pas le, pas de, non pas',
  it: 'non, non la, non una, non un, che non sia, ma non',
  de: 'nicht, keine, kein, keinen, nicht die, nicht das',
  nl: 'niet, geen, niet de',
  sv: 'inte, inte ett, inget, ej',
  da: 'ikke, ikke et, ikke en',
  fi: 'ei, eikä',
  hu: 'nem, ne',
  pl: 'nie, a nie, ale nie',
  cs: 'ne, nikoli, ale ne',
  ro: 'nu, nu o, nu un, dar nu',
  ru: 'не, а не, но не',
  uk: 'не, а не, але не',
  el: 'όχι, δεν',
  ar: 'ليس, ليست, مش, لا, وليس, مو',
  fa: 'نه',
  he: 'לא, ולא',
  zh: '不是, 不要, 而不是, 非',
  th: 'ไม่ใช่, ไม่เอา',
  vi: 'không phải, không phải là, không lấy',
  id: 'bukan',
};

const NOT_BEFORE: Record<string, string> = {
  tr: 'değil',
  ja: 'じゃない, ではない, ではなく, じゃなく, じゃなくて, 以外',
  ko: '말고, 아닌, 아니고, 이 아닌, 가 아닌',
  hi: 'नहीं',
  fa: 'نباشد',
};

// Beside these a name of what makes ill may stand on either side; it is looked for behind them first.
const ALLERGY: Record<string, string> = {
  any: 'alerg*, allerg*, alerj*, alergi*, intoler*, intolleran*, аллерг*, алерг*, непереносим*, непереносн*, αλλεργ*, δυσανεξ*, duyarl*, overgevoelig*, nietoleranc*, uczulen*, uczulon*, överkänslig*, yliherk*, érzéken*',
  ar: 'حساسية, حساسيه, الحساسية, تحسس, يتحسس, أتحسس',
  fa: 'حساسیت, آلرژی',
  he: 'אלרגי, אלרגית, אלרגיה, אלרגיים, רגיש, רגישה, רגישות',
  hi: 'एलर्जी, एलर्जिक, असहिष्णुता',
  ja: 'アレルギー, 不耐症',
  ko: '알레르기, 알러지, 불내증, 앨러지',
  zh: '过敏, 過敏, 敏感, 不耐受, 不耐',
  th: 'แพ้',
  vi: 'dị ứng, không dung nạp',
};

const markersOf = (table: Record<string, string>, manner: Manner, side: Marker['side']): Marker[] =>
  Object.entries(table).flatMap(([language, phrases]) =>
    phrases.split(/,\s*/).map((phrase) => ({
      words: tokenize(phrase).map(({ text }) => text),
      ...{ open: phrase.endsWith('*'), language, manner, side },
    })),
  );

const MARKERS = [
  ...markersOf(WITHOUT_AFTER, 'without', 'after'),
  ...markersOf(WITHOUT_BEFORE, 'without', 'before'),
  ...markersOf(NOT_AFTER, 'not', 'after'),
  ...markersOf(NOT_BEFORE, 'not', 'before'),
  ...markersOf(ALLERGY, 'allergy', 'after'),
].sort((a, b) => b.words.length - a.words.length);

const BY_WORD = Map.groupBy(
  MARKERS.filter(({ open, words }) => !open || words.length > 1),
  ({ words }) => words[0] ?? '',
);
const STARTS = MARKERS.filter(({ open, words }) => open && words.length === 1);

/** The markers that begin at a unit, the longest first. */
export function markersAt(units: readonly Unit[], from: number): Marker[] {
  const text = units[from]?.text ?? '';
  const whole = (BY_WORD.get(text) ?? []).filter(({ words }) =>
    words.every((word, place) => units[from + place]?.text === word),
  );
  return whole.length > 0 ? whole : STARTS.filter(({ words }) => text.startsWith(words[0] ?? ''));
}

/** Ends of words that say "without", by language, the longest first. */
export const SUFFIXES: ReadonlyArray<readonly [string, string]> = Object.entries({
  de: 'freie freies freier freien freiem frei lose loser loses los',
  nl: 'vrije vrij loze loos',
  sv: 'fritt fria fri lost losa los',
  da: 'frit frie fri lost lose los',
  hu: 'mentesen menteset mentes',
  tr: 'siz suz',
  fi: 'ttomia ttomat tonta tonta ton',
  en: 'free less',
})
  .flatMap(([language, ends]) => ends.split(' ').map((end) => [end, language] as const))
  .sort((a, b) => b[0].length - a[0].length);

const words = (list: string) => new Set(tokenize(list, 4096, 999).map(({ text }) => text));

/** What may stand between a marker and what it excludes. */
export const FILLERS =
  words(`de do da o a os as um uma uns any the an of added some adição adicionado traços
  seja ser quero conter nada contém un una el la los las al alla alle agli ao à aos às aux au du des di con
  to gegen auf mot för for voor na på su sulle sui gli i le les lo gegenüber een eine einen einem ein der die
  das den het på for für σε στα στο στη στους στην τα το τη από על عن من ضد به ل ـ ב ל को से की का के में
  sejam at all với dengan terhadap to proteína protein del dei delle dello della dell l d zugesetzten und`);

/** What joins several of them. */
export const JOINTS =
  words(`e ou nem and or nor y o u et ou ni ed oppure né und oder noch en of och eller og ja tai
  és vagy i oraz ani lub a nebo și sau и или і або та και ή ve veya و أو ו או और या и と や も 、 및 과 와 랑 和 或 与 跟 及
  และ หรือ và hoặc dan atau`);
