import type { Clock } from '../../../lib/clock.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Actor } from '../../tenancy/index.ts';
import type { WorkspaceFinder } from '../model/finder.ts';
import * as store from '../model/store.ts';
import type { WorkspaceView } from '../model/workspace.ts';

/** Where SSH keys are kept. */
export interface KnownSshKeys {
  /** Whether the organization has that key. */
  exists(tx: Transaction, organizationId: string, id: string): Promise<boolean>;
}

/** Which key the modules of a workspace are fetched with (spec §4.8). */
export class SshKeyAssignment {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #finder: WorkspaceFinder;
  readonly #keys: KnownSshKeys;

  constructor(database: Database, clock: Clock, finder: WorkspaceFinder, keys: KnownSshKeys) {
    this.#database = database;
    this.#clock = clock;
    this.#finder = finder;
    this.#keys = keys;
  }

  /** Null takes the key away. @throws 404 for a key that the organization does not have, or when the actor may not */
  async assign(actor: Actor, id: string, sshKeyId: string | null): Promise<WorkspaceView> {
    const { organizationId } = await this.#finder.find(actor, { id }, 'can-update');
    await this.#database.transaction(async (tx) => {
      if (sshKeyId !== null && !(await this.#keys.exists(tx, organizationId, sshKeyId))) throw notFound();
      if ((await store.setSshKey(tx, id, sshKeyId, this.#clock())) === undefined) throw notFound();
    });
    return this.#finder.find(actor, { id }, 'can-read-settings');
  }
}
