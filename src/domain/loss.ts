/** Below this many records or pages there is no catalog yet whose loss would be a surprise. */
const LEAST = 20;

/** True when more than half of what there was is lost at once: more likely a fault than an empty mall. */
export function isGreatLoss(lost: number, before: number): boolean {
  return before >= LEAST && lost > before / 2;
}
