/** A result: its title and, if the engine reports it, the kind of match. */
export type Result = { title: string; match?: string };

/** A search engine that holds the items; the best ten come first. */
export type Engine = { name: string; search(query: string): Promise<Result[]> };
export const RESULTS = 10;
