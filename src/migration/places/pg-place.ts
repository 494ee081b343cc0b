import type { Client } from 'pg';
import { MigrationError } from '../model/errors.ts';
import type { StatePattern } from './pattern.ts';
import { type FoundState, MAX_FILES, type StatePlace } from './state-place.ts';

/** Characters of a state that one query returns. */
const PIECE = 1_048_576;

/** States of the `pg` backend: the table `states` with a row for each CLI workspace. */
export class PgPlace implements StatePlace {
  readonly name: string;
  readonly #client: Client;
  readonly #table: string;
  readonly #pattern: StatePattern;

  private constructor(name: string, client: Client, table: string, pattern: StatePattern) {
    this.name = name;
    this.#client = client;
    this.#table = table;
    this.#pattern = pattern;
  }

  /** @param address `postgres://user:password@host/database` */
  static async open(address: string, schema: string, pattern: StatePattern): Promise<PgPlace> {
    const { Client } = await import('pg').then((pg) => pg.default ?? pg);
    const client = new Client({ connectionString: address });
    const name = `PostgreSQL, schema ${schema}`;
    await client.connect().catch((error: Error) => {
      throw new MigrationError('unavailable', `cannot connect to PostgreSQL: ${error.message}`);
    });
    // One snapshot, so that a state does not change between its pieces.
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return new PgPlace(name, client, `${client.escapeIdentifier(schema)}.states`, pattern);
  }

  async list(): Promise<readonly FoundState[]> {
    const query = `SELECT name, octet_length(data) AS size, md5(data) AS md5 FROM ${this.#table} ORDER BY name LIMIT ${MAX_FILES}`;
    const { rows } = await this.#client.query(query).catch((error: Error) => {
      throw new MigrationError('failed', `${this.name}: ${error.message}`);
    });
    return rows
      .filter(({ name }) => this.#pattern.match(name) !== undefined)
      .map(({ name, size, md5 }) => ({
        path: name,
        state: { serial: undefined, size, md5, open: async () => this.#pieces(name) },
      }));
  }

  async *#pieces(name: string): AsyncGenerator<Uint8Array> {
    for (let start = 1; ; start += PIECE) {
      const query = `SELECT substr(data, $2, ${PIECE}) AS piece FROM ${this.#table} WHERE name = $1`;
      const { rows } = await this.#client.query(query, [name, start]);
      const piece: string = rows[0]?.piece ?? '';
      if (piece !== '') yield Buffer.from(piece);
      if (piece.length < PIECE) return;
    }
  }

  async close(): Promise<void> {
    await this.#client.end();
  }
}
