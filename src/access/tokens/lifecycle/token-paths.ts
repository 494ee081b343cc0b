import { type Database, sql } from '../../../storage/index.ts';
import { LIVE } from './liveness.ts';

/** Paths from `from` up to but without `to`, in byte order. */
export type PathRange = { readonly from: string; readonly to: string };

/** Sorts before any character of a path. */
const LOWEST = '\u0001';
const HIGHEST = '\u{10ffff}';
/** The character after the slash. */
const AFTER_SLASH = '0';

const itself = (path: string): PathRange => ({ from: path, to: path + LOWEST });
const beneath = (path: string): PathRange => ({ from: `${path}/`, to: path + AFTER_SLASH });

/** Returns the ranges of a path and of all paths below it. */
export const pathRanges = (path: string): readonly PathRange[] => [itself(path), beneath(path)];

const LEASED = `expires_at IS NOT NULL AND ${LIVE}`;

type Page = { after: string; most: number; now: number };

const ids = sql<Page & { path: string }, { id: string }>(
  `SELECT id FROM token WHERE path = :path AND id > :after AND ${LEASED} ORDER BY id LIMIT :most`,
);
const nextPath = sql<PathRange & { now: number }, { path: string }>(
  `SELECT path FROM token WHERE path >= :from AND path < :to AND ${LEASED} ORDER BY path LIMIT 1`,
);

/** Tree of the paths that issued tokens. Contains only tokens that expire. */
export class TokenPaths {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Returns `most` entries after `after`, in order: ids of tokens issued by this path, and the next segments of
   * longer paths.
   */
  async below(path: string, page: Page): Promise<string[]> {
    const own = await this.#database.all(ids, { path, ...page });
    const further = await this.#parts(path, page);
    return [...own.map(({ id }) => id), ...further].sort().slice(0, page.most);
  }

  /** Runs one query for each segment, and skips everything below it. */
  async #parts(path: string, { after, most, now }: Page): Promise<string[]> {
    const start = path === '' ? '' : `${path}/`;
    const to = path === '' ? HIGHEST : path + AFTER_SLASH;
    const parts = new Set<string>();
    let from = start + (after.endsWith('/') ? after.slice(0, -1) + AFTER_SLASH : after);
    while (parts.size < most) {
      const found = await this.#database.one(nextPath, { from, to, now });
      if (!found) break;
      const [part = ''] = found.path.slice(start.length).split('/', 1);
      if (`${part}/` > after) parts.add(`${part}/`);
      const end = start + part;
      from = end + (found.path === end ? LOWEST : AFTER_SLASH);
    }
    return [...parts];
  }
}
