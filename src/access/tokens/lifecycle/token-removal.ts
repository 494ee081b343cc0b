import { type Database, type Params, type Queries, sql } from '../../../storage/index.ts';
import type { PathRange } from './token-paths.ts';

/** Maximum number of rows that one transaction removes. */
const STEP = 500;
/**
 * Maximum number of steps in one sweep.
 * @limit one sweep of tokens, steps -> the next sweep removes the rest
 */
const MAX_STEPS = 120;

type Step = { most: number };

/** Returns statements that remove the tokens of a query, and record those with children. */
function removal<P extends Params>(ids: string) {
  return {
    // A scalar subquery makes every query planner use the index for each token.
    remember: sql<P>(
      `INSERT INTO removed_parent (id)
       SELECT id FROM (SELECT (SELECT child.parent_id FROM token child WHERE child.parent_id = gone.id LIMIT 1) AS id
                       FROM (${ids}) AS gone) AS parent
       WHERE id IS NOT NULL ON CONFLICT (id) DO NOTHING`,
    ),
    remove: sql<P>(`DELETE FROM token WHERE id IN (${ids})`),
  };
}

const one = removal<{ id: string }>('SELECT id FROM token WHERE id = :id');
const ended = removal<{ id: string; now: number }>('SELECT id FROM token WHERE id = :id AND expires_at <= :now');
const expired = removal<Step & { now: number }>(
  'SELECT id FROM token WHERE expires_at <= :now ORDER BY expires_at, id LIMIT :most',
);
/** SQL condition that the parent is the child's own, and not a younger token with the same custom text. */
const OWN_PARENT = `EXISTS (
  SELECT 1 FROM token parent WHERE parent.id = child.parent_id AND parent.created_at <= child.created_at)`;
const orphaned = removal<Step & { parent_id: string }>(
  `SELECT child.id FROM token child WHERE child.parent_id = :parent_id AND NOT ${OWN_PARENT} ORDER BY child.id LIMIT :most`,
);
const ofMount = removal<Step & { mount_id: string }>(
  'SELECT id FROM token WHERE mount_id = :mount_id ORDER BY id LIMIT :most',
);
/** Tokens that never expire have no lease, so no path revokes them. */
const ofRange = removal<Step & PathRange & { until: number }>(
  `SELECT id FROM token WHERE path >= :from AND path < :to AND created_at <= :until AND expires_at IS NOT NULL
   ORDER BY path, id LIMIT :most`,
);

const removedParent = sql<Record<string, never>, { id: string }>('SELECT id FROM removed_parent ORDER BY id LIMIT 1');
const forgetParent = sql<{ id: string }>('DELETE FROM removed_parent WHERE id = :id');
const removedMount = sql<Record<string, never>, { mount_id: string }>(
  `SELECT id AS mount_id FROM mount WHERE removed_at IS NOT NULL
   AND EXISTS (SELECT 1 FROM token WHERE token.mount_id = mount.id) LIMIT 1`,
);
const detach = sql<Step & { parent_id: string }>(
  `UPDATE token SET parent_id = NULL, orphan = 1
   WHERE id IN (SELECT child.id FROM token child WHERE child.parent_id = :parent_id AND ${OWN_PARENT}
                ORDER BY child.id LIMIT :most)`,
);

type Removal<P extends Params> = ReturnType<typeof removal<P>>;

async function run<P extends Params>(queries: Queries, { remember, remove }: Removal<P>, params: P): Promise<number> {
  await queries.run(remember, params);
  return queries.run(remove, params);
}

/** Removes tokens in bounded transactions, so that none blocks the database for long. */
export class TokenRemoval {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Removes a token. Its descendants are invalid at once; the sweep removes their rows. */
  async remove(id: string): Promise<void> {
    await this.#in(one, { id });
  }

  /** Removes an expired token, so that its custom text can be reused. */
  async removeEnded(id: string, now: number): Promise<void> {
    await this.#in(ended, { id, now });
  }

  /** Removes a token and makes its children orphans. */
  async removeAlone(id: string): Promise<void> {
    const step = { parent_id: id, most: STEP };
    let detached: number;
    do {
      detached = await this.#database.transaction(async (tx) => {
        const count = await tx.run(detach, step);
        if (count < STEP) await run(tx, one, { id });
        return count;
      });
    } while (detached === STEP);
  }

  /** Removes some tokens of a mount. Returns false when none are left. */
  async removeSomeOfMount(mountId: string): Promise<boolean> {
    return (await this.#in(ofMount, { mount_id: mountId, most: STEP })) === STEP;
  }

  /** Removes all tokens of these paths that were created at or before `until`. */
  async removeRange(range: PathRange & { readonly until: number }): Promise<void> {
    while ((await this.#in(ofRange, { ...range, most: STEP })) === STEP);
  }

  /** Removes invalid tokens: expired, or without their parent or mount. Lookups ignore them already. */
  async sweep(now: number): Promise<number> {
    let removed = 0;
    for (let step = 0; step < MAX_STEPS; step++) {
      const count = await this.#sweepStep(now);
      if (count === undefined) break;
      removed += count;
    }
    return removed;
  }

  /** Returns the number of removed rows. Undefined when nothing is left. */
  async #sweepStep(now: number): Promise<number | undefined> {
    const count = await this.#in(expired, { now, most: STEP });
    if (count > 0) return count;
    const parent = await this.#database.one(removedParent, {});
    if (parent) return this.#sweepChildren(parent.id);
    const mount = await this.#database.one(removedMount, {});
    return mount && this.#in(ofMount, { ...mount, most: STEP });
  }

  #sweepChildren(id: string): Promise<number> {
    return this.#database.transaction(async (tx) => {
      const count = await run(tx, orphaned, { parent_id: id, most: STEP });
      if (count < STEP) await tx.run(forgetParent, { id });
      return count;
    });
  }

  #in<P extends Params>(which: Removal<P>, params: P): Promise<number> {
    return this.#database.transaction((tx) => run(tx, which, params));
  }
}
