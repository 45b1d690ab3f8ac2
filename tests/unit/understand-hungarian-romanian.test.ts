import { describe, expect, it } from 'vitest';
import { headOf } from '../support/head-of.ts';

describe('Hungarian is understood as people write it', () => {
  it.each([
    ['a last vowel that grows long', 'piros sapkát szeretnék', 'c:cap'],
    ['a plural', 'távirányítók', 'c:tv-remote'],
    ['with something', 'akvarellfestékkel', 'c:watercolor-paint'],
    ['for somebody', 'kutyának póráz', 'c:dog-leash'],
    ['onto something', 'kamerára', 'c:camera'],
    ['a word that only looks like "to"', 'gumicsónakot', 'c:inflatable-boat'],
    ['what hurts', 'fáj a torkom', 'c:throat-lozenge'],
    ['what crawls', 'csótányok a konyhában', 'c:roach-killer'],
    ['two words for one', 'laptop táskát keresek', 'c:notebook-bag'],
    ['a colloquial word', 'cigit', 'c:cigarettes'],
  ])('%s: %s', (_, query, token) => {
    expect(headOf(query)).toBe(token);
  });
});

describe('Romanian is understood as people write it', () => {
  it.each([
    ['an article at the end', 'cablul hdmi', 'c:hdmi-cable'],
    ['a plural', 'prosoape de plajă', 'c:beach-towel'],
    ['no accents', 'sort de bucatarie', 'c:apron'],
    ['a question', 'unde găsesc saci de aspirator', 'c:vacuum-bag'],
    ['what hurts', 'mă doare gâtul', 'c:throat-lozenge'],
    ['what grows', 'mucegai pe perete', 'c:dehumidifier'],
    ['for whom', 'trotinetă copii', 'c:kick-scooter'],
    ['a service', 'traducere legalizată', 'c:translation'],
    ['a colloquial word', 'strugurel', 'c:lip-balm'],
  ])('%s: %s', (_, query, token) => {
    expect(headOf(query)).toBe(token);
  });
});
