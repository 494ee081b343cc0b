/** A comment as providers list it. */
export interface ListedComment {
  readonly id: string;
  readonly text: string;
}

/** @limit comments of a pull request that are searched for the server's own, comments -> it may create another one */
const MAX_SEARCHED = 500;
/** Comments of one page. */
export const COMMENTS_PAGE = 50;

/**
 * Returns the id of the first comment that begins with a text, among the first 500.
 * @param load loads page `page`, from 1; the last page is not full
 */
export async function firstComment(
  beginning: string,
  load: (page: number) => Promise<readonly ListedComment[]>,
): Promise<string | null> {
  for (let page = 1; page <= MAX_SEARCHED / COMMENTS_PAGE; page++) {
    const comments = await load(page);
    const found = comments.find(({ text }) => text.replaceAll('\r\n', '\n').startsWith(beginning.trimEnd()));
    if (found !== undefined) return found.id;
    if (comments.length < COMMENTS_PAGE) return null;
  }
  return null;
}
