import { plain, wordsOf } from './words.ts';

/** A substance with its dose, as a price list of medicines writes them. */
export type Medicine = { substance: string; number: string; unit: string };

const MEDICINE = /^([\p{L}_ -]+?) *(\d+(?:[.,]\d+)*) *(mg|mcg|g|ml|ui)(?![\p{L}\p{N}])/iu;
const DOSE = /(\d+(?:[.,]\d+)*) *(mg|mcg|g|ml|ui)(?![\p{L}\p{N}])/gu;
/** Brazilian numbers: 10.000 UI are ten thousand, but 0.352 g is a fraction. */
const THOUSANDS = /^[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$/;
/** Longer ones hold the form and the package as well. */
const MOST_WORDS = 5;

/**
 * The substance and the dose that a title begins with; null when it does not. "X 10 G" is the size of a
 * package: what stands before it is more than a substance.
 */
export function medicineOf(title: string): Medicine | null {
  const [, substance = '', number = '', unit = ''] = MEDICINE.exec(title) ?? [];
  const words = wordsOf(substance);
  if (words.length === 0 || words.length > MOST_WORDS) return null;
  if (words.at(-1) === 'x' || words.every((word) => word.length < 3)) return null;
  return { substance: substance.trim(), number, unit };
}

/** True of a title that says every word of the substance and the same amount of the same unit. */
export function hasDose(title: string, { substance, number, unit }: Medicine): boolean {
  const said = new Set(wordsOf(title));
  const wanted = doseKey(number, unit);
  return (
    wordsOf(substance).every((word) => said.has(word)) &&
    plain(title)
      .matchAll(DOSE)
      .some(([, amount = '', of = '']) => doseKey(amount, of) === wanted)
  );
}

function doseKey(number: string, unit: string): string {
  const digits = THOUSANDS.test(number) ? number.replaceAll('.', '') : number;
  return `${Number(digits.replace(',', '.'))} ${unit.toLowerCase()}`;
}
