import { describe, expect, it } from 'vitest';
import {
  discountPercent,
  formatPrice,
  offerPrice,
  offerPriceLine,
  productPrice,
} from '../../src/domain/price.ts';

const brl = (amount: number) => ({ amount, currency: 'BRL' });
const offer = (
  title: string,
  price: number | null,
  name?: string,
  usual: number | null = null,
) => ({
  title,
  price: price === null ? null : brl(price),
  product: name === undefined ? null : { name, price: usual === null ? null : brl(usual) },
});

describe('the price of a product', () => {
  it('reads as in Brazil, and a missing one is said', () => {
    expect(formatPrice(brl(129_990))).toBe('R$ 1.299,90');
    expect(formatPrice(null)).toBe('Preço sob consulta');
  });

  it.each([
    ['never overstates a discount', brl(5990), brl(6890), 13],
    ['is nothing below one percent', brl(999), brl(1000), null],
    ['is nothing when the price is not lower', brl(1000), brl(1000), null],
    ['does not compare currencies', brl(1), { amount: 1000, currency: 'USD' }, null],
    ['needs a price to compare with', brl(1), null, null],
  ])('discount: %s', (_, price, before, percent) => {
    expect(discountPercent(price, before)).toBe(percent);
  });

  it('is compared with its list price, where that is higher', () => {
    expect(productPrice(brl(5990), brl(6890))).toEqual({
      now: 'R$ 59,90',
      before: 'R$ 68,90',
      percent: 13,
    });
    expect(productPrice(brl(5990), brl(5000)).before).toBeNull();
    expect(productPrice(null, brl(5000))).toEqual({
      now: 'Preço sob consulta',
      before: null,
      percent: null,
    });
  });
});

describe('the price of an offer', () => {
  it.each([
    [
      'its own price, and the normal one of its product beside it',
      offer('Polpetone com espaguete no almoço', 5400, 'Polpetone', 6400),
      ['R$ 54,00', null, 'R$ 64,00', 1],
    ],
    [
      'without a price of its own nothing is claimed but the normal one',
      offer('Borda de catupiry grátis', null, 'Pizza grande', 6290),
      [null, null, 'R$ 62,90', 1],
    ],
    [
      'without any price there is none',
      offer('Primeira visita grátis', null),
      [null, null, null, 1],
    ],
    [
      'without a product its own alone',
      offer('Combo família', 10990),
      ['R$ 109,90', null, null, 1],
    ],
    [
      'several for a total',
      offer('2 cheese bacon duplos por R$ 79,90', 3995, 'Cheese bacon duplo', 4490),
      ['2 por R$ 79,90', 'R$ 39,95 cada', 'R$ 44,90', 2],
    ],
    [
      'kilos for a total',
      offer('Patinho moído: 2 kg por R$ 79,90', 3995, 'Carne moída (kg)', 4490),
      ['2 kg por R$ 79,90', 'R$ 39,95 o quilo', 'R$ 44,90 o quilo', 2],
    ],
    [
      'a total whose share is rounded to the cent',
      offer('Leve três sabonetes por R$ 10', 333, 'Sabonete', 400),
      ['3 por R$ 10,00', 'R$ 3,33 cada', 'R$ 4,00', 3],
    ],
    [
      'a number of the title that is no number of them',
      offer('Combinado de 30 peças por R$ 99,90', 9990, 'Combinado 30 peças', 11990),
      ['R$ 99,90', null, 'R$ 119,90', 1],
    ],
    [
      'more taken than paid',
      offer('Malbec: leve 3 e pague 2', 4327, 'Vinho Malbec 750 ml', 6490),
      ['R$ 43,27 cada', 'levando 3', 'R$ 64,90', 3],
    ],
    [
      'several of which the product is one',
      offer('4 pneus aro 15 com balanceamento grátis', 39990, 'Pneu aro 15', 41990),
      ['R$ 399,90 cada', 'levando 4', 'R$ 419,90', 4],
    ],
    [
      'as many as the product has are one of it',
      offer('8 aulas de pilates com avaliação', 32900, 'Pilates (pacote de 8 aulas)', 36000),
      ['R$ 329,00', null, 'R$ 360,00', 1],
    ],
    [
      'the second one at less',
      offer('Segundo milk-shake com 50% off', 1095, 'Milk-shake', 2190),
      ['R$ 10,95', 'a segunda unidade', 'R$ 21,90', 2],
    ],
    [
      'each',
      offer('Cópias de chave por R$ 9 cada', 900, 'Cópia de chave', 1200),
      ['R$ 9,00 cada', null, 'R$ 12,00', 1],
    ],
    [
      'a unit that the title says too',
      offer('Salmão fresco a R$ 104,90 o quilo', 10490, 'Filé de salmão (kg)', 11990),
      ['R$ 104,90 o quilo', null, 'R$ 119,90 o quilo', 1],
    ],
    [
      'a total in another currency than reais',
      { ...offer('2 por R$ 10', 500), price: { amount: 500, currency: 'USD' } },
      ['USD 5,00', null, null, 1],
    ],
  ])('%s', (_, priced, [headline, detail, usual, quantity]) => {
    expect(offerPrice(priced)).toMatchObject({ headline, detail, usual, quantity });
  });

  it('is one line on a card', () => {
    expect(offerPriceLine(offer('x', null, 'y', 6290))).toBe('preço normal R$ 62,90');
    expect(offerPriceLine(offer('x', 100, 'y', 6290))).toBe('R$ 1,00');
    expect(offerPriceLine(offer('x', null))).toBeNull();
    const tyres = offer('4 pneus com balanceamento', 39990, 'Pneu', 41990);
    expect(offerPriceLine(tyres)).toBe('R$ 399,90 cada, levando 4');
    expect(offerPriceLine(offer('2 por R$ 10', 500))).toBe('2 por R$ 10,00');
  });

  it('never says before, less or a percentage', () => {
    const { headline, detail, usual } = offerPrice(
      offer('Lasanha com 30% off', 4840, 'Lasanha', 5490),
    );
    expect([headline, detail, usual].join(' ')).not.toMatch(/antes|menos|%/);
  });
});
