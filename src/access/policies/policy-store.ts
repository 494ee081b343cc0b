import { type Database, sql, type Transaction } from '../../storage/index.ts';

const textByName = sql<{ name: string }, { text: string }>('SELECT text FROM policy WHERE name = :name');
const names = sql<{ after: string; most: number }, { name: string }>(
  'SELECT name FROM policy WHERE name > :after ORDER BY name LIMIT :most',
);
const put = sql<{ name: string; text: string; now: number }>(
  `INSERT INTO policy (name, text, created_at, updated_at) VALUES (:name, :text, :now, :now)
   ON CONFLICT (name) DO UPDATE SET text = excluded.text, updated_at = excluded.updated_at`,
);
const remove = sql<{ name: string }>('DELETE FROM policy WHERE name = :name');
const version = sql<Record<string, never>, { version: number }>(
  "SELECT version FROM change_counter WHERE topic = 'policies'",
);
const nextVersion = sql("UPDATE change_counter SET version = version + 1 WHERE topic = 'policies'");

/** The texts of the policies that somebody wrote, by their normalized names. */
export class PolicyStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async text(name: string): Promise<string | undefined> {
    return (await this.#database.one(textByName, { name }))?.text;
  }

  /** In order: `most` of those behind `after`. */
  async names(after: string, most: number): Promise<string[]> {
    const rows = await this.#database.all(names, { after, most });
    return rows.map(({ name }) => name);
  }

  /** Grows with every write to any policy, on whichever node it was made. */
  async version(): Promise<number> {
    return (await this.#database.one(version, {}))?.version ?? 0;
  }

  put(name: string, text: string, now: number): Promise<void> {
    return this.#change((tx) => tx.run(put, { name, text, now }));
  }

  remove(name: string): Promise<void> {
    return this.#change((tx) => tx.run(remove, { name }));
  }

  /** The counter first: it is the one row that all writers meet at. */
  #change(work: (tx: Transaction) => Promise<number>): Promise<void> {
    return this.#database.transaction(async (tx) => {
      await tx.run(nextVersion, {});
      await work(tx);
    });
  }
}
