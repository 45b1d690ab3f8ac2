import type { PageMessage } from '../../src/live/search-page/messages.ts';
import type { SearchMessage } from '../../src/search/messages.ts';

type Kind = SearchMessage['kind'];

/** For each kind: fields of a message, its sentence for agents, and that for people; null if these are told nothing. */
export type Told = {
  [K in Kind]: [
    fields: Omit<SearchMessage & { kind: K }, 'kind'>,
    english: string,
    portuguese: PageMessage | string | null,
  ][];
};
