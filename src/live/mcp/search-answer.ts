import { usageLine } from '../../domain/usage.ts';
import { contentBlocks, type Entry, listMarkdown } from './present.ts';
import type { SearchOutcome } from './search.ts';
import type { ToolAnswer } from './tool.ts';

/** Hosts of agents cut what is longer than about 25,000 tokens; a search answer keeps well below. */
const MAX_ANSWER_BYTES = 39_500;
/** How many letters of a name an answer holds when the usual number makes it too long. */
const FEWER_LETTERS = [60, 30, 12];

/** The records of a search: the field that they stand in, and how each is written. */
type Listed<R> = {
  field: 'products' | 'offers';
  /** The records with their names cut to so many letters, or to the usual number. */
  records(nameLetters?: number): R[];
  entry(record: R): Entry;
};

/** The answer of a search: its records, the same in words, and what became of the query. */
export function searchAnswer<R>(
  service: string,
  outcome: Omit<SearchOutcome<unknown>, 'hits'>,
  listed: Listed<R>,
): ToolAnswer {
  let answer = makeAnswer(service, outcome, listed);
  for (const letters of FEWER_LETTERS) {
    if (Buffer.byteLength(JSON.stringify(answer)) <= MAX_ANSWER_BYTES) break;
    answer = makeAnswer(service, outcome, listed, letters);
  }
  return answer;
}

function makeAnswer<R>(
  service: string,
  outcome: Omit<SearchOutcome<unknown>, 'hits'>,
  { field, records, entry }: Listed<R>,
  nameLetters?: number,
): ToolAnswer {
  const found = records(nameLetters);
  const entries = found.map(entry);
  const markdown = listMarkdown(service, entries, outcome.messages);
  return {
    structuredContent: {
      service,
      [field]: found,
      result_count: found.length,
      answer_markdown: markdown,
      ...outcome,
      usage: usageLine(service),
    },
    content: contentBlocks(markdown, entries),
    records: found.length,
  };
}
