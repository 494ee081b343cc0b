import type { Database } from '../../../storage/index.ts';
import { unprocessable } from '../../jsonapi/errors.ts';
import { type Actor, assertSiteAdmin } from '../permissions/actor.ts';
import * as groupStore from './group-store.ts';
import type { ScimGroups } from './groups.ts';
import * as store from './settings-store.ts';

export type { ScimSettings } from './settings-store.ts';

/** Missing fields stay unchanged. */
export interface ScimSettingsChange {
  readonly enabled?: boolean | undefined;
  readonly paused?: boolean | undefined;
  readonly siteAdminGroupId?: string | null | undefined;
}

/** Settings of provisioning, managed by site administrators. */
export class ScimSettingsService {
  readonly #database: Database;
  readonly #groups: ScimGroups;

  constructor(database: Database, groups: ScimGroups) {
    this.#database = database;
    this.#groups = groups;
  }

  /** Returns the settings for a request of the directory. */
  current(): Promise<store.ScimSettings> {
    return store.readSettings(this.#database);
  }

  /**
   * Returns the settings.
   * @throws 404 unless the actor is a site administrator
   */
  async find(actor: Actor): Promise<store.ScimSettings> {
    assertSiteAdmin(actor);
    return this.current();
  }

  /**
   * Changes the settings.
   * @throws 404 as `find`; 422 for an unknown group, or while provisioning is off
   */
  async update(actor: Actor, change: ScimSettingsChange): Promise<store.ScimSettings> {
    assertSiteAdmin(actor);
    const before = await this.current();
    const next = {
      enabled: change.enabled ?? before.enabled,
      paused: change.paused ?? before.paused,
      siteAdminGroupId: change.siteAdminGroupId === undefined ? before.siteAdminGroupId : change.siteAdminGroupId,
    };
    if (!next.enabled && (next.paused || change.siteAdminGroupId)) {
      throw unprocessable([{ detail: 'Provisioning is off. Enable it first' }]);
    }
    const { siteAdminGroupId: group } = next;
    if (group !== null && (await groupStore.findGroup(this.#database, group)) === undefined) {
      throw unprocessable([
        { detail: 'The group does not exist', pointer: '/data/attributes/site-admin-group-scim-id' },
      ]);
    }
    if (group !== null && (await groupStore.linkedTeams(this.#database, group)).length > 0) {
      throw unprocessable([{ detail: 'The group is linked to a team' }]);
    }
    await store.putSettings(this.#database, next);
    for (const one of new Set([before.siteAdminGroupId, group])) {
      if (one !== null && before.siteAdminGroupId !== group) await this.#groups.giveAgain(one);
    }
    return this.current();
  }

  /**
   * Turns provisioning off. Users and their teams stay, and identity providers again decide about group memberships.
   * @throws 404 as `find`
   */
  async turnOff(actor: Actor): Promise<void> {
    assertSiteAdmin(actor);
    const { siteAdminGroupId } = await this.current();
    await store.putSettings(this.#database, { enabled: false, paused: false, siteAdminGroupId: null });
    if (siteAdminGroupId !== null) await this.#groups.giveAgain(siteAdminGroupId);
  }
}
