import type { Clock } from '../../lib/clock.ts';
import { prefixedId } from '../../lib/ids.ts';
import { type Database, sql, UniqueViolation } from '../../storage/index.ts';
import { alreadyTaken, attributeIssue, notFound, unprocessable } from '../jsonapi/errors.ts';
import { type Actor, userOf } from '../permissions/actor.ts';
import { fragment, select } from '../query/dynamic.ts';

const USERNAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/;

/** Somebody who signs in with tokens. */
export interface User {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly createdAt: number;
}

const COLUMNS = 'id, username, email, created_at AS "createdAt"';

const selectById = sql<{ id: string }, User>(`SELECT ${COLUMNS} FROM account WHERE id = :id`);
const selectByName = sql<{ username: string }, User>(`SELECT ${COLUMNS} FROM account WHERE username = :username`);
const selectOrganizations = sql<{ id: string }, { organizationId: string }>(
  `SELECT DISTINCT t.organization_id AS "organizationId"
   FROM team_member m JOIN team t ON t.id = m.team_id WHERE m.account_id = :id`,
);
const insert = sql<{ [Column in keyof User]: User[Column] }>(
  'INSERT INTO account (id, username, email, created_at) VALUES (:id, :username, :email, :createdAt)',
);

/** People. */
export class Users {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** For the commands of the operator; no route leads here. @throws 422 when the name is taken or breaks the rule. */
  async create(input: { readonly username: string; readonly email: string }): Promise<User> {
    if (!USERNAME.test(input.username)) {
      const rule = 'Username has 1 to 60 letters, digits, dots, - and _, and begins with a letter or digit';
      throw unprocessable([attributeIssue('username', rule)]);
    }
    const createdAt = this.#clock();
    const user = { id: prefixedId('user', createdAt), ...input, createdAt };
    try {
      await this.#database.run(insert, user);
    } catch (error) {
      throw error instanceof UniqueViolation ? alreadyTaken('username') : error;
    }
    return user;
  }

  byUsername(username: string): Promise<User | undefined> {
    return this.#database.one(selectByName, { username });
  }

  /** Only a user has an account. @throws 404 for a machine */
  account(actor: Actor): Promise<User> {
    return this.find(actor, userOf(actor).id);
  }

  /** Oneself, and whoever is in an organization of the actor's. @throws 404 for anybody else */
  async find(actor: Actor, id: string): Promise<User> {
    const user = await this.#database.one(selectById, { id });
    if (user === undefined) throw notFound();
    if (actor.kind === 'user' && actor.id === id) return user;
    const organizations = await this.#database.all(selectOrganizations, { id });
    if (!organizations.some(({ organizationId }) => actor.grants.has(organizationId))) throw notFound();
    return user;
  }

  /** Those with these ids, to show who holds what the actor may see. */
  named(ids: readonly string[]): Promise<User[]> {
    const columns = fragment.raw(COLUMNS);
    return select(this.#database, fragment<User>`select ${columns} from account where id in (${fragment.join(ids)})`);
  }
}
