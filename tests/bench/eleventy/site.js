// What every page takes besides its model.
import { makeLinks } from '../vitrine/domain/links.ts';

const baseUrl = 'http://localhost:4321';
export const site = { info: { name: 'Vitrine', baseUrl }, links: makeLinks(baseUrl, null) };
