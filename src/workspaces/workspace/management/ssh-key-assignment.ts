import type { Clock } from '../../../lib/clock.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Actor } from '../../tenancy/index.ts';
import type { WorkspaceFinder } from '../model/finder.ts';
import * as store from '../model/store.ts';
import type { WorkspaceView } from '../model/workspace.ts';

/** Store of SSH keys. */
export interface KnownSshKeys {
  /** Returns whether the organization has this key. */
  exists(tx: Transaction, organizationId: string, id: string): Promise<boolean>;
}

/** Assigns the SSH key with which the engine downloads a workspace's modules (spec §4.8). */
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

  /**
   * Assigns a key; null removes it. @throws 404 for a key that the organization does not have, or when the actor may
   * not
   */
  async assign(actor: Actor, id: string, sshKeyId: string | null): Promise<WorkspaceView> {
    const { organizationId } = await this.#finder.find(actor, { id }, 'can-update');
    await this.#database.transaction(async (tx) => {
      if (sshKeyId !== null && !(await this.#keys.exists(tx, organizationId, sshKeyId))) throw notFound();
      if ((await store.setSshKey(tx, id, sshKeyId, this.#clock())) === undefined) throw notFound();
    });
    return this.#finder.find(actor, { id }, 'can-read-settings');
  }
}
