/** One result: its title and, where the engine tells, what kind of match it calls it. */
export type Result = { title: string; match?: string };

/** A search engine that holds the items; the best ten come first. */
export type Engine = { name: string; search(query: string): Promise<Result[]> };
export const RESULTS = 10;
