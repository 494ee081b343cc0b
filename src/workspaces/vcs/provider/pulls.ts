import { pageOrItems } from './http/pages.ts';
import type { Pull, RepositoryRef } from './port.ts';
import { ProviderError } from './provider-error.ts';

/** Pull requests on a page. */
export const PAGE_SIZE = 50;
/** @limit open pull requests of a repository that the server sees, pages of 50 pull requests -> the least recently changed ones are left out */
const MAX_PAGES = 6;
const COMMIT_ID = /^[0-9a-f]{40}$/;

/**
 * Loads the open pull requests of a repository, page by page.
 * @param load loads page `page`, from 1, with `size` items each; null for a pull request that has no commit yet
 */
export async function openPulls(
  load: (page: number, size: number) => Promise<readonly (Pull | null)[]>,
): Promise<readonly Pull[]> {
  const pulls = new Map<number, Pull>();
  for (let page = 1; page <= MAX_PAGES; page++) {
    const loaded = await pageOrItems(page, PAGE_SIZE, load);
    // A pull request that changes while pages are loaded may be on two of them.
    for (const pull of loaded) if (pull !== null && !pulls.has(pull.number)) pulls.set(pull.number, pull);
    if (loaded.length < PAGE_SIZE) break;
  }
  return [...pulls.values()];
}

/**
 * Checks a pull request before the server acts on it.
 * @throws ProviderError `invalid` if it has no commit id, or if the name of the repository has come to mean another one
 */
export function checkedPull(pull: Pull, { providerId }: RepositoryRef): Pull {
  if (!COMMIT_ID.test(pull.headId))
    throw new ProviderError('invalid', `The provider sent pull request ${pull.number} without a commit id`);
  if (pull.baseRepositoryId !== providerId)
    throw new ProviderError('invalid', 'Another repository has the name of this one now');
  return { ...pull, mergeBaseId: pull.mergeBaseId && COMMIT_ID.test(pull.mergeBaseId) ? pull.mergeBaseId : null };
}
