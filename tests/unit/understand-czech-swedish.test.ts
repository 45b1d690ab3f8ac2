import { describe, expect, it } from 'vitest';
import { headOf } from '../support/head-of.ts';

describe('Czech is understood as people write it', () => {
  it.each([
    ['a question in an oblique case', 'kde koupím zimní bundu', 'c:coat'],
    ['a purpose', 'boty na běhání', 'c:running-shoe'],
    ['no accents', 'hledam bezecke boty', 'c:running-shoe'],
    ['what hurts', 'bolí mě hlava', 'c:painkiller'],
    ['for whom', 'něco na kašel pro dítě', 'c:cough-syrup'],
    ['what is broken', 'nefunguje pračka', 'c:appliance-repair'],
    ['what happened', 'zabouchl jsem si dveře', 'c:locksmith'],
    ['an animal', 'granule pro psa levně', 'c:dog-food'],
    ['a colloquial word', 'foťák', 'c:camera'],
    ['an occasion', 'černé šaty na svatbu', 'c:party-dress'],
  ])('%s: %s', (_, query, token) => {
    expect(headOf(query)).toBe(token);
  });
});

describe('Swedish is understood as people write it', () => {
  it.each([
    ['a compound', 'jag letar efter löparskor', 'c:running-shoe'],
    ['a definite plural', 'löparskorna', 'c:running-shoe'],
    ['a question', 'var kan jag köpa en kaffebryggare', 'c:coffee-maker'],
    ['what hurts', 'jag har ont i huvudet', 'c:painkiller'],
    ['what is blocked', 'stopp i avloppet', 'c:drain-opener'],
    ['what is broken', 'tvättmaskinen läcker', 'c:appliance-repair'],
    ['a task', 'laga min mobil', 'c:phone-repair'],
    ['an animal', 'hundmat nära mig', 'c:dog-food'],
    ['a colloquial word', 'svarta brallor', 'c:pants'],
    ['an occasion', 'röd klänning till bröllop', 'c:party-dress'],
  ])('%s: %s', (_, query, token) => {
    expect(headOf(query)).toBe(token);
  });
});
