import { isPagePath, isRecordPath } from '../../src/publish/plan.ts';
import { currentReleaseId, openCurrentRelease, type Release } from '../../src/publish/release.ts';
import { verifyLayer } from '../../src/publish/verify.ts';

/** The current release of a folder; there has to be one. */
export function currentRelease(root: string): Release {
  const release = openCurrentRelease(root);
  if (release === null) throw new Error('there is no release');
  if (release.manifest.id !== currentReleaseId(root)) throw new Error('a release has a wrong id');
  return release;
}

/** The paths of a release, or those that it says are withdrawn, in order. */
export function pathsOf({ index }: Release, withdrawn = false): string[] {
  const entries = [...index.entries()];
  return entries.flatMap(([path, known]) => ((known === 'gone') === withdrawn ? [path] : []));
}

/** Checks every file of the current release against its index; returns the paths that are there. */
export function checkRelease(root: string): string[] {
  const release = currentRelease(root);
  for (const layer of release.index.indexes) {
    const live = [...layer.entries()].filter(
      ([path, known]) => known !== 'gone' && isPagePath(path),
    );
    verifyLayer(layer, live.length, { pagesRead: Number.POSITIVE_INFINITY });
  }
  const paths = pathsOf(release);
  const pages = paths.filter(isRecordPath).length / 2;
  if (pages !== release.manifest.pages)
    throw new Error(`${pages} pages are not ${release.manifest.pages}`);
  return paths;
}
