// Light stemmers that strip one suffix. Overstemming is harmless: exact forms always win.

/** Makes a stemmer that strips one suffix from words of five letters or more and leaves at least three. */
function cutting(ending: RegExp): (word: string) => string {
  return (word) => {
    if (word.length < 5) return word;
    const cut = word.replace(ending, '');
    return cut.length >= 3 ? cut : word;
  };
}

export const stemScandinavian = cutting(
  /(arna|erna|orna|erne|ene|ens|ets|ar|er|or|en|et|na|an|a|e|s)$/,
);
export const stemCzech = cutting(/(ami|emi|imi|ach|ich|ych|ove|eho|emu|ou|um|am|em|y|i|a|e|o|u)$/);
export const stemSouthSlavic = cutting(/(ima|ama|ovi|evi|om|em|og|oj|ih|im|a|e|i|o|u)$/);
export const stemBulgarian = cutting(/(ите|ята|ета|ове|еве|ът|ят|та|то|те|и|а|о|е|я)$/);
export const stemGreek = cutting(/(ουσ|εισ|ιων|ων|εσ|ασ|ησ|οσ|οι|ια|α|η|ο|ι|υ|ε)$/);
export const stemFinnish = cutting(
  /(issa|ista|illa|ilta|ille|iin|oja|oita|eja|eita|ssa|sta|lla|lta|lle|ja|ta|t|n|a|i)$/,
);
export const stemSerbian = cutting(/(има|ама|ови|еви|ом|ем|ог|ој|их|им|а|е|и|о|у)$/);
export const stemEstonian = cutting(
  /(idega|idele|idest|dega|dele|dest|sse|ile|ilt|ist|iga|iks|lt|le|st|ga|ks|id|de|te|d|t|s|i|e|u|a)$/,
);
export const stemLatvian = cutting(
  /(ajiem|ajam|iem|am|em|im|um|as|es|is|us|os|ai|ei|ie|a|e|i|u|s|o)$/,
);
const cutLithuanian = cutting(
  /(iuose|iems|iams|iai|oms|ems|ams|uose|ose|ese|yse|iais|ais|omis|emis|iu|io|ia|ai|ei|ui|us|as|is|ys|es|os|a|e|i|o|u|y|s)$/,
);
/** Undoes palatalisation before suffixes: skėtis, skėčiai; medis, medžiai. */
export const stemLithuanian = (word: string) =>
  cutLithuanian(word).replace(/c$/, 't').replace(/dz$/, 'd');
export const stemGeorgian = cutting(
  /(ებისთვის|ისთვის|ებში|ებით|ების|ები|ზე|ში|ით|ად|ის|მა|ს|ი|ა|ო)$/,
);
export const stemBengali = cutting(/(গুলো|গুলি|দের|টির|টা|টি|ের|কে|তে|ে|র)$/);
export const stemTamil = cutting(/(களுக்கு|களின்|களில்|களை|கள்|ுக்கு|க்கு|ின்|ில்|ை|ம்)$/);
export const stemUrdu = cutting(/(\u064a\u06ba|\u0648\u06ba|\u06d2|\u064a|\u0627|\u0647)$/);
export const stemMalay = cutting(/(nya|lah|kah)$/);
/** Swahili marks number by a prefix: kiti, viti; mfuko, mifuko. */
export const stemSwahili = (word: string) =>
  word.replace(/^(mw|ki|vi|wa|ma|mi|ch|vy|m|u)(?=.{3})/, '');
export const stemRomanian = cutting(/(urilor|ilor|elor|ului|urile|uri|ile|ele|ul|ei|ii|a|e|i|u)$/);
export const stemPersian = cutting(/(هاي|ها|ان|ي)$/);
