import { text } from '../../shell/search.ts';

/** Parameters that name a commit, as in the API. */
export const SUBJECTS = ['commit', 'branch', 'tag', 'pull'] as const;
export type Subject = (typeof SUBJECTS)[number];

/** Search parameters of the page: the page of the list, and the commit that is explained. */
export interface CommitsSearch extends Partial<Readonly<Record<Subject, string>>> {
  readonly page?: string;
  /** Present if the newest commit of the branch is explained. */
  readonly newest?: string;
}

/** Reads the search parameters and ignores unknown ones. */
export function readCommitsSearch(search: Readonly<Record<string, unknown>>): CommitsSearch {
  const [subject] = SUBJECTS.filter((name) => typeof search[name] === 'string' && search[name] !== '');
  return { ...text(search, 'page'), ...(subject ? text(search, subject) : text(search, 'newest')) };
}
