/** Grades that count as a hit: what a shopper would take without another search. */
export const HIT_GRADE = 2;

/** True when one of the first `k` results has a grade that counts as right. */
export function hitAt(grades: number[], k: number): boolean {
  return grades.slice(0, k).some((grade) => grade >= HIT_GRADE);
}

/**
 * Normalised discounted cumulative gain of the first `k` results: gain 2^grade - 1, discount
 * log2(place + 1), divided by that of the best order of all that is relevant. 0..1.
 */
export function ndcgAt(grades: number[], relevant: number[], k: number): number {
  const best = gain(
    relevant.toSorted((a, b) => b - a),
    k,
  );
  return best === 0 ? 0 : gain(grades, k) / best;
}

function gain(grades: number[], k: number): number {
  return grades
    .slice(0, k)
    .reduce((sum, grade, index) => sum + (2 ** grade - 1) / Math.log2(index + 2), 0);
}

/** The mean of some values; NaN of none. */
export function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The share of values that are true; NaN of none. */
export function share(values: boolean[]): number {
  return mean(values.map(Number));
}
