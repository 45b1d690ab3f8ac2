import { describe, expect, it } from 'vitest';
import { headOf } from '../support/head-of.ts';

describe('German is understood as people write it', () => {
  it.each([
    ['a question with a purpose', 'Ich brauche etwas gegen Kopfschmerzen', 'c:painkiller'],
    ['what hurts', 'mir tut der Kopf weh', 'c:painkiller'],
    ['a compound', 'Handyhülle Samsung A54', 'c:phone-case'],
    ['a brand after the compound', 'Panzerglas iPhone 13', 'c:screen-protector'],
    ['an umlaut as two letters', 'Kuehlschraenke guenstig', 'c:fridge'],
    ['a plural that changes its vowel', 'rote Röcke', 'c:skirt'],
    ['a dative plural', 'Esstisch mit 6 Stühlen', 'c:dining-table'],
    ['what is broken', 'Meine Waschmaschine funktioniert nicht', 'c:appliance-repair'],
    ['what happened', 'Ich habe mich ausgesperrt', 'c:locksmith'],
    ['a task', 'Hose kürzen lassen', 'c:tailor'],
    ['a dish for home', 'Sushi liefern lassen', 'c:sushi'],
    ['Austrian fruit', 'Marillenmarmelade', 'c:jam'],
    ['Austrian tomatoes', 'Paradeiser', 'c:tomato'],
    ['Austrian cupboards', 'Kasten für Gewand', 'c:wardrobe'],
    ['a Swiss helmet', 'Velohelm', 'c:bike-helmet'],
    ['a Swiss removal', 'Zügelfirma', 'c:moving-service'],
    ['a Swiss dummy', 'Nuggi', 'c:pacifier'],
    ['a colloquial gym', 'Muckibude', 'c:gym'],
  ])('%s: %s', (_, query, token) => {
    expect(headOf(query)).toBe(token);
  });

  it('takes no word of another language for its own', () => {
    expect(headOf('location de bateau')).not.toBe('c:party-venue');
    expect(headOf('osteria')).toBe('c:restaurant');
    expect(headOf('mayo')).toBe('c:mayonnaise');
  });
});
