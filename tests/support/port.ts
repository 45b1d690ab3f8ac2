export { freePort } from '../../src/embedded/postgres.ts';
