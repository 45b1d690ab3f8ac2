/** A merchant as a feed has it. */
export const merchant = (id: number, more: object = {}) => ({
  kind: 'merchant',
  id,
  name: `Loja ${id}`,
  ...more,
});

/** A product of merchant 1. */
export const product = (id: number, more: object = {}) => ({
  kind: 'product',
  id,
  merchant_id: 1,
  name: `Item ${id}`,
  ...more,
});

/** An offer of merchant 1. */
export const offer = (id: number, more: object = {}) => ({
  kind: 'offer',
  id,
  merchant_id: 1,
  title: `Oferta ${id}`,
  ...more,
});
