import type { RepositoryPage } from './port.ts';

/** Most pages of one group. */
const PAGES = 10_000;

/**
 * Returns a page of the repositories of several groups, for providers that list those of one group only. The number of
 * a page is that within its group, plus 10,000 for each group before it.
 * @param load loads page `page`, from 1, of a group
 */
export async function pageOfGroups(
  groups: readonly string[],
  page: number,
  load: (group: string, page: number) => Promise<RepositoryPage>,
): Promise<RepositoryPage> {
  const index = Math.floor((page - 1) / PAGES);
  const group = groups[index];
  if (group === undefined) return { items: [], nextPage: null };
  const { items, nextPage } = await load(group, ((page - 1) % PAGES) + 1);
  if (nextPage !== null) return { items, nextPage: index * PAGES + nextPage };
  return { items, nextPage: index + 1 < groups.length ? (index + 1) * PAGES + 1 : null };
}
