import type { Clock } from '../../../lib/clock.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Database } from '../../../storage/index.ts';
import { alreadyTaken, attributeIssue, notFound, unprocessable } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import {
  type Actor,
  grantIn,
  type Organizations,
  organizationPermissions,
  requirePermission,
} from '../../tenancy/index.ts';
import type { ReservedKey } from './reserved-key-store.ts';
import * as store from './reserved-key-store.ts';

/** Like the key of a binding, but spaces are allowed. */
const KEY = /^[\w.=+@:-](?:[\w .=+@:-]{0,126}[\w.=+@:-])?$/;

/** Input for a reserved key. An absent member stays. */
export interface ReservedKeyInput {
  readonly key?: string | undefined;
  readonly disableOverrides?: boolean | undefined;
}

/** Manages the reserved tag keys of an organization. */
export class ReservedTagKeys {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #organizations: Organizations;

  constructor(database: Database, clock: Clock, organizations: Organizations) {
    this.#database = database;
    this.#clock = clock;
    this.#organizations = organizations;
  }

  /** Returns the reserved keys, by key. */
  async list(actor: Actor, organizationName: string, page: Page): Promise<Slice<ReservedKey>> {
    const { id } = await this.#organizations.find(actor, organizationName, 'can-traverse');
    return store.listReservedKeys(this.#database, id, page);
  }

  /**
   * Reserves a tag key.
   * @throws 404 without permission, 422 for a key that is invalid or taken
   */
  async create(actor: Actor, organizationName: string, input: ReservedKeyInput): Promise<ReservedKey> {
    const { id: organizationId } = await this.#organizations.find(actor, organizationName, 'can-update');
    const now = this.#clock();
    const reserved: ReservedKey = {
      id: prefixedId('rtk', now),
      organizationId,
      key: checkedKey(input.key ?? ''),
      disableOverrides: Number(input.disableOverrides ?? false),
      createdAt: now,
      updatedAt: now,
    };
    if (!(await store.insertReservedKey(this.#database, reserved))) throw alreadyTaken('key');
    return reserved;
  }

  /**
   * Updates a reserved tag key.
   * @throws 404 without permission, 422 for a key that is invalid or taken
   */
  async update(actor: Actor, id: string, input: ReservedKeyInput): Promise<ReservedKey> {
    await this.#requireOwn(actor, id);
    return this.#database.transaction(async (tx) => {
      const current = await store.findReservedKey(tx, id);
      if (current === undefined) throw notFound();
      const key = input.key === undefined ? current.key : checkedKey(input.key);
      const holder = await store.idOfKey(tx, current.organizationId, key);
      if (holder !== undefined && holder !== id) throw alreadyTaken('key');
      const disableOverrides = Number(input.disableOverrides ?? current.disableOverrides);
      const next = { ...current, key, disableOverrides, updatedAt: this.#clock() };
      await store.updateReservedKey(tx, next);
      return next;
    });
  }

  async remove(actor: Actor, id: string): Promise<void> {
    await this.#requireOwn(actor, id);
    await store.removeReservedKey(this.#database, id);
  }

  /** Returns the keys whose project values the workspaces of an organization cannot override. */
  locked(organizationId: string): Promise<ReadonlySet<string>> {
    return store.lockedReservedKeys(this.#database, organizationId);
  }

  /** Disabling overrides affects all workspaces, so it requires the right to manage the whole organization. */
  async #requireOwn(actor: Actor, id: string): Promise<void> {
    const reserved = await store.findReservedKey(this.#database, id);
    if (reserved === undefined) throw notFound();
    requirePermission(organizationPermissions(grantIn(actor, reserved.organizationId)), 'can-update');
  }
}

function checkedKey(key: string): string {
  if (!KEY.test(key)) throw unprocessable([attributeIssue('key', 'Key is invalid')]);
  return key;
}
