/**
 * True in the long form of a suite (`npm run test:faults` and its like), which repeats more and holds times
 * to what is promised; in the short form, within `npm test`, a time only bounds a wait.
 */
export const LONG = process.env.SUITE_LONG === '1';
