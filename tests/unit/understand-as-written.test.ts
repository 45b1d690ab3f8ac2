import { describe, expect, it } from 'vitest';
import { headOf } from '../support/head-of.ts';

/** What people write in their language, and the need that it names. */
const WRITTEN: Record<string, [what: string, query: string, need: string][]> = {
  German: [
    ['a question with a purpose', 'Ich brauche etwas gegen Kopfschmerzen', 'painkiller'],
    ['what hurts', 'mir tut der Kopf weh', 'painkiller'],
    ['a compound', 'Handyhülle Samsung A54', 'phone-case'],
    ['a brand after the compound', 'Panzerglas iPhone 13', 'screen-protector'],
    ['an umlaut as two letters', 'Kuehlschraenke guenstig', 'fridge'],
    ['a plural that changes its vowel', 'rote Röcke', 'skirt'],
    ['a dative plural', 'Esstisch mit 6 Stühlen', 'dining-table'],
    ['what is broken', 'Meine Waschmaschine funktioniert nicht', 'appliance-repair'],
    ['what happened', 'Ich habe mich ausgesperrt', 'locksmith'],
    ['a task', 'Hose kürzen lassen', 'tailor'],
    ['a dish for home', 'Sushi liefern lassen', 'sushi'],
    ['Austrian fruit', 'Marillenmarmelade', 'jam'],
    ['Austrian tomatoes', 'Paradeiser', 'tomato'],
    ['Austrian cupboards', 'Kasten für Gewand', 'wardrobe'],
    ['a Swiss helmet', 'Velohelm', 'bike-helmet'],
    ['a Swiss removal', 'Zügelfirma', 'moving-service'],
    ['a Swiss dummy', 'Nuggi', 'pacifier'],
    ['a colloquial gym', 'Muckibude', 'gym'],
  ],
  Czech: [
    ['a question in an oblique case', 'kde koupím zimní bundu', 'coat'],
    ['a purpose', 'boty na běhání', 'running-shoe'],
    ['no accents', 'hledam bezecke boty', 'running-shoe'],
    ['what hurts', 'bolí mě hlava', 'painkiller'],
    ['for whom', 'něco na kašel pro dítě', 'cough-syrup'],
    ['what is broken', 'nefunguje pračka', 'appliance-repair'],
    ['what happened', 'zabouchl jsem si dveře', 'locksmith'],
    ['an animal', 'granule pro psa levně', 'dog-food'],
    ['a colloquial word', 'foťák', 'camera'],
    ['an occasion', 'černé šaty na svatbu', 'party-dress'],
  ],
  Swedish: [
    ['a compound', 'jag letar efter löparskor', 'running-shoe'],
    ['a definite plural', 'löparskorna', 'running-shoe'],
    ['a question', 'var kan jag köpa en kaffebryggare', 'coffee-maker'],
    ['what hurts', 'jag har ont i huvudet', 'painkiller'],
    ['what is blocked', 'stopp i avloppet', 'drain-opener'],
    ['what is broken', 'tvättmaskinen läcker', 'appliance-repair'],
    ['a task', 'laga min mobil', 'phone-repair'],
    ['an animal', 'hundmat nära mig', 'dog-food'],
    ['a colloquial word', 'svarta brallor', 'pants'],
    ['an occasion', 'röd klänning till bröllop', 'party-dress'],
  ],
  Hungarian: [
    ['a last vowel that grows long', 'piros sapkát szeretnék', 'cap'],
    ['a plural', 'távirányítók', 'tv-remote'],
    ['with something', 'akvarellfestékkel', 'watercolor-paint'],
    ['for somebody', 'kutyának póráz', 'dog-leash'],
    ['onto something', 'kamerára', 'camera'],
    ['a word that only looks like "to"', 'gumicsónakot', 'inflatable-boat'],
    ['what hurts', 'fáj a torkom', 'throat-lozenge'],
    ['what crawls', 'csótányok a konyhában', 'roach-killer'],
    ['two words for one', 'laptop táskát keresek', 'notebook-bag'],
    ['a colloquial word', 'cigit', 'cigarettes'],
  ],
  Romanian: [
    ['an article at the end', 'cablul hdmi', 'hdmi-cable'],
    ['a plural', 'prosoape de plajă', 'beach-towel'],
    ['no accents', 'sort de bucatarie', 'apron'],
    ['a question', 'unde găsesc saci de aspirator', 'vacuum-bag'],
    ['what hurts', 'mă doare gâtul', 'throat-lozenge'],
    ['what grows', 'mucegai pe perete', 'dehumidifier'],
    ['for whom', 'trotinetă copii', 'kick-scooter'],
    ['a service', 'traducere legalizată', 'translation'],
    ['a colloquial word', 'strugurel', 'lip-balm'],
  ],
};

describe.each(Object.entries(WRITTEN))('%s is understood as people write it', (_, cases) => {
  it.each(cases)('%s: %s', (_what, query, need) => {
    expect(headOf(query)).toBe(`c:${need}`);
  });
});

it('German takes no word of another language for its own', () => {
  expect(headOf('location de bateau')).not.toBe('c:party-venue');
  expect(headOf('osteria')).toBe('c:restaurant');
  expect(headOf('mayo')).toBe('c:mayonnaise');
});
