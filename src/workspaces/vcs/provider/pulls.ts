import { pageOrItems } from './http/pages.ts';
import type { Pull, RepositoryRef } from './port.ts';
import { ProviderError } from './provider-error.ts';

/** Pull requests on a page. */
export const PAGE_SIZE = 50;
/** @limit open pull requests of a repository that the server sees, pull requests -> the least recently changed ones are left out */
export const MAX_OPEN = 300;
const COMMIT_ID = /^[0-9a-f]{40}$/;

/**
 * Loads the open pull requests of a repository, page by page.
 * @param load loads page `page`, from 1, with `size` items each; null for a pull request that has no commit yet
 */
export async function openPulls(
  load: (page: number, size: number) => Promise<readonly (Pull | null)[]>,
): Promise<readonly Pull[]> {
  const pulls: Pull[] = [];
  for (let page = 1; page <= MAX_OPEN / PAGE_SIZE; page++) {
    const loaded = await pageOrItems(page, PAGE_SIZE, load);
    pulls.push(...loaded.filter((pull) => pull !== null));
    if (loaded.length < PAGE_SIZE) break;
  }
  return withoutRepetitions(pulls);
}

/** Leaves out repetitions: a pull request that changes while pages are loaded may be on two of them. */
export function withoutRepetitions(pulls: readonly Pull[]): Pull[] {
  const seen = new Set<number>();
  return pulls.filter(({ number }) => seen.size !== seen.add(number).size);
}

/**
 * Checks a pull request before the server acts on it.
 * @throws ProviderError `invalid` if it has no commit id, or if the name of the repository has come to mean another one
 */
export function checkedPull(pull: Pull, { providerId }: RepositoryRef): Pull {
  if (!isCommitId(pull.headId))
    throw new ProviderError('invalid', `The provider sent pull request ${pull.number} without a commit id`);
  if (pull.baseRepositoryId !== providerId) throw anotherRepository();
  return { ...pull, mergeBaseId: pull.mergeBaseId && isCommitId(pull.mergeBaseId) ? pull.mergeBaseId : null };
}

export const isCommitId = (text: string): boolean => COMMIT_ID.test(text);

/** Returns the error for a name that has come to mean another repository. */
export function anotherRepository(): ProviderError {
  return new ProviderError('invalid', 'Another repository has the name of this one now');
}
