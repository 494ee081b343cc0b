import { type Database, sql } from '../../../storage/index.ts';
import { type MergedRole, storedRole, type TokenRole } from './token-role.ts';

type Row = { settings: string };
type ByName = { name: string };

const byName = sql<ByName, Row>('SELECT settings FROM token_role WHERE name = :name');
const names = sql<{ after: string; most: number }, ByName>(
  'SELECT name FROM token_role WHERE name > :after ORDER BY name LIMIT :most',
);
const put = sql<ByName & Row>(
  `INSERT INTO token_role (name, settings) VALUES (:name, :settings)
   ON CONFLICT (name) DO UPDATE SET settings = excluded.settings`,
);
const remove = sql<ByName>('DELETE FROM token_role WHERE name = :name');

/** Stores token roles by name. */
export class TokenRoleStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async find(name: string): Promise<TokenRole | undefined> {
    const row = await this.#database.one(byName, { name });
    return row && storedRole(row.settings);
  }

  async names(after: string, most: number): Promise<string[]> {
    return (await this.#database.all(names, { after, most })).map(({ name }) => name);
  }

  /** Updates one role atomically. `change` throws to cancel the update. */
  update(name: string, change: (stored: TokenRole | undefined) => MergedRole): Promise<MergedRole> {
    return this.#database.transaction(async (tx) => {
      const row = await tx.one(byName, { name });
      const merged = change(row && storedRole(row.settings));
      await tx.run(put, { name, settings: JSON.stringify(merged.role) });
      return merged;
    });
  }

  async remove(name: string): Promise<void> {
    await this.#database.run(remove, { name });
  }
}
