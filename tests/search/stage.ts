import { feedFileLines } from '../../src/feed/read.ts';
import { loadFeed, withFeedService } from './known/stage.ts';
import { catalogFile, type EvalSet } from './queries.ts';

/** Loads the catalog of an evaluation into an empty database. */
export function loadEvalCatalog(databaseUrl: string, set: EvalSet): Promise<void> {
  return loadFeed(databaseUrl, () => feedFileLines(catalogFile(set)));
}

/** Runs work against a real service over the catalog of an evaluation, on a database of its own. */
export function withEvalService<T>(set: EvalSet, work: (url: string) => Promise<T>): Promise<T> {
  return withFeedService(() => feedFileLines(catalogFile(set)), work);
}
