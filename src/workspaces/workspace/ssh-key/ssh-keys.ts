import type { Clock } from '../../../lib/clock.ts';
import { prefixedId } from '../../../lib/ids.ts';
import { privateKeyOf } from '../../../lib/ssh-key/private-key.ts';
import { type Database, type Keyring, type Queries, type SealedColumn, sql } from '../../../storage/index.ts';
import { attributeIssue, notFound, unprocessable } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { fragment, isOneOf, select, selectSlice } from '../../query/dynamic.ts';
import { type Actor, mayInOrganization, type Organizations, requireInOrganization } from '../../tenancy/index.ts';

/** A private key for downloading modules. Its value is write-only in the API. */
export interface SshKey {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly createdAt: number;
}

/** Attributes of a key. An absent attribute keeps its stored value. */
export interface SshKeyInput {
  readonly name?: string | undefined;
  readonly value?: string | undefined;
}

const COLUMNS = 'k.id, k.organization_id AS "organizationId", k.name, k.created_at AS "createdAt"';

const selectById = sql<{ id: string }, SshKey>(`SELECT ${COLUMNS} FROM ssh_key k WHERE k.id = :id`);
const selectIn = sql<{ id: string; organizationId: string }, { id: string }>(
  'SELECT id FROM ssh_key WHERE id = :id AND organization_id = :organizationId',
);
const selectValue = sql<{ id: string }, { value: Uint8Array }>('SELECT value FROM ssh_key WHERE id = :id');
const insert = sql<{ id: string; organizationId: string; name: string; value: Uint8Array; createdAt: number }>(
  `INSERT INTO ssh_key (id, organization_id, name, value, created_at)
   VALUES (:id, :organizationId, :name, :value, :createdAt)`,
);
const update = sql<{ id: string; name: string | null; value: Uint8Array | null }>(
  'UPDATE ssh_key SET name = COALESCE(:name, name), value = COALESCE(:value, value) WHERE id = :id',
);
// Removes the key from workspaces that use it.
const remove = sql<{ id: string }>('DELETE FROM ssh_key WHERE id = :id');

/** Manages the SSH keys of an organization. Every operation requires the right to manage them. */
export class SshKeys {
  readonly #database: Database;
  readonly #keyring: Keyring;
  readonly #clock: Clock;
  readonly #organizations: Organizations;

  constructor(database: Database, keyring: Keyring, clock: Clock, organizations: Organizations) {
    this.#database = database;
    this.#keyring = keyring;
    this.#clock = clock;
    this.#organizations = organizations;
  }

  /** Returns the keys by name. */
  async list(actor: Actor, organizationName: string, page: Page): Promise<Slice<SshKey>> {
    const { id } = await this.#organizations.find(actor, organizationName, 'can-update-ssh-keys');
    const where = [fragment`k.organization_id = ${id}`];
    return selectSlice<SshKey>(
      this.#database,
      { columns: COLUMNS, from: 'ssh_key k', where, orderBy: 'k.name, k.id' },
      page,
    );
  }

  /**
   * Finds a key.
   * @throws 404 when it does not exist, or the actor may not see it
   */
  async find(actor: Actor, id: string): Promise<SshKey> {
    const key = await this.#database.one(selectById, { id });
    if (key === undefined) throw notFound();
    requireInOrganization(actor, key.organizationId, 'can-update-ssh-keys');
    return key;
  }

  /** Returns those keys with these ids that the actor can see, by name. */
  async readable(actor: Actor, ids: readonly string[]): Promise<SshKey[]> {
    if (ids.length === 0) return [];
    const where = fragment`${isOneOf('k.id', ids)} order by k.name, k.id`;
    const keys = await select(
      this.#database,
      fragment<SshKey>`select ${fragment.raw(COLUMNS)} from ssh_key k where ${where}`,
    );
    return keys.filter(({ organizationId }) => mayInOrganization(actor, organizationId, 'can-update-ssh-keys'));
  }

  /**
   * Creates a key.
   * @throws 404 without permission, 422 without a name, or for a value that `ssh` cannot use
   */
  async create(actor: Actor, organizationName: string, input: Required<SshKeyInput>): Promise<SshKey> {
    const organization = await this.#organizations.find(actor, organizationName, 'can-update-ssh-keys');
    const { name, value } = checkedInput(input);
    const createdAt = this.#clock();
    const id = prefixedId('sshkey', createdAt);
    const key = { id, organizationId: organization.id, name: name ?? '', createdAt };
    await this.#database.run(insert, { ...key, value: this.#sealed(id, value ?? '') });
    return key;
  }

  /**
   * Updates a key.
   * @throws 404 without permission, 422 for an empty name, or a value that `ssh` cannot use
   */
  async update(actor: Actor, id: string, input: SshKeyInput): Promise<SshKey> {
    await this.find(actor, id);
    const { name = null, value } = checkedInput(input);
    await this.#database.run(update, { id, name, value: value === undefined ? null : this.#sealed(id, value) });
    return this.find(actor, id);
  }

  /** Deletes a key and removes it from workspaces that use it. @throws 404 without permission */
  async delete(actor: Actor, id: string): Promise<void> {
    await this.find(actor, id);
    await this.#database.run(remove, { id });
  }

  /** Returns whether the organization has this key. */
  async exists(db: Queries, organizationId: string, id: string): Promise<boolean> {
    return (await db.one(selectIn, { id, organizationId })) !== undefined;
  }

  /**
   * Returns the decrypted key for the agent that executes a run; no route returns it. Returns undefined when it is
   * gone.
   */
  async value(id: string): Promise<string | undefined> {
    const row = await this.#database.one(selectValue, { id });
    if (row === undefined) return undefined;
    const stored = Buffer.from(this.#keyring.decrypt(row.value, contextOf(id))).toString();
    // Keys that were stored before the check existed may have line endings that `ssh` does not read.
    const read = privateKeyOf(stored);
    return 'key' in read ? read.key : stored;
  }

  #sealed(id: string, value: string): Uint8Array {
    return this.#keyring.encrypt(Buffer.from(value), contextOf(id));
  }
}

function contextOf(id: string): string {
  return `ssh-key/${id}`;
}

/** Returns the key in the form that `ssh` reads, for storing. @throws 422 with all errors */
function checkedInput({ name, value }: SshKeyInput): SshKeyInput {
  const read = value === undefined || value.trim() === '' ? undefined : privateKeyOf(value);
  const issues = [
    ...(name?.trim() === '' ? [attributeIssue('name', "Name can't be blank")] : []),
    ...(value?.trim() === '' ? [attributeIssue('value', "Value can't be blank")] : []),
    ...(read && 'problem' in read ? [attributeIssue('value', `Value ${read.problem}`)] : []),
  ];
  if (issues.length > 0) throw unprocessable(issues);
  return { name, value: read && 'key' in read ? read.key : undefined };
}

export const sealedSshKeys: SealedColumn = {
  table: 'ssh_key',
  key: ['id'],
  column: 'value',
  boundTo: [],
  contextOf: contextOf,
};
