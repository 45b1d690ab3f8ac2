/** Hosts of agents cut what is longer than about 25,000 tokens; a search answer keeps well below. */
const MAX_ANSWER_BYTES = 39_500;
/** How many letters of a name an answer holds: fewer when the names of its records are that long. */
const NAME_LETTERS = [120, 60, 30, 12] as const;

/** Builds an answer with names as long as they fit. */
export function fitAnswer<T>(build: (nameLetters: number) => T): T {
  const [most, ...fewer] = NAME_LETTERS;
  let answer = build(most);
  for (const letters of fewer) {
    if (Buffer.byteLength(JSON.stringify(answer)) <= MAX_ANSWER_BYTES) break;
    answer = build(letters);
  }
  return answer;
}
