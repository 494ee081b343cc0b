import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../storage/index.ts';
import { conflict, notFound, unprocessable } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { containing } from '../../query/dynamic.ts';
import { type Actor, assertSiteAdmin } from '../permissions/actor.ts';
import type { ScimGroup } from './group-store.ts';
import * as store from './group-store.ts';
import type { ScimGroups } from './groups.ts';
import * as settings from './settings-store.ts';

/** Links of groups to teams, managed by site administrators. */
export class ScimTeamLinks {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #groups: ScimGroups;

  constructor(database: Database, clock: Clock, groups: ScimGroups) {
    this.#database = database;
    this.#clock = clock;
    this.#groups = groups;
  }

  /**
   * Lists links by name.
   * @throws 404 unless the actor is a site administrator
   */
  async list(actor: Actor, query: string, page: Page): Promise<Slice<ScimGroup>> {
    assertSiteAdmin(actor);
    const pattern = query === '' ? undefined : containing(query.toLowerCase());
    return store.listGroupsNamed(this.#database, pattern, page);
  }

  /**
   * Links a group to a team.
   * @throws 404 as `list`, and for an unknown team or group; 409 if the team has a link; 422 if the team cannot have
   * one
   */
  async create(actor: Actor, teamId: string, groupId: string): Promise<void> {
    const team = await this.#team(actor, teamId);
    if ((await store.findGroup(this.#database, groupId)) === undefined) throw notFound();
    if (team.groupId !== null) throw conflict('Team is already linked to a SCIM group');
    if (team.owners === 1) throw unprocessable([{ detail: 'Owners team SCIM linking is not yet supported' }]);
    if ((await settings.readSettings(this.#database)).siteAdminGroupId === groupId) {
      throw unprocessable([{ detail: 'The site admin group cannot be linked to a team' }]);
    }
    await store.linkTeam(this.#database, { id: teamId, groupId, paused: 0, now: this.#clock() });
    await this.#groups.giveAgain(groupId, teamId);
  }

  /**
   * Pauses or resumes a link. While it is paused, members stay in the team and the group adds no new ones.
   * @throws 404 as `list`; 409 for a team without a link
   */
  async pause(actor: Actor, teamId: string, isPaused: boolean): Promise<void> {
    const { groupId } = await this.#team(actor, teamId);
    if (groupId === null) throw conflict('Team is not linked to a SCIM group');
    await store.linkTeam(this.#database, { id: teamId, groupId, paused: Number(isPaused), now: this.#clock() });
    if (!isPaused) await this.#groups.giveAgain(groupId, teamId);
  }

  /**
   * Deletes a link. Members that the group has added leave the team.
   * @throws 404 as `list`; 409 for a team without a link
   */
  async delete(actor: Actor, teamId: string): Promise<void> {
    const { groupId } = await this.#team(actor, teamId);
    if (groupId === null) throw conflict('Team is not linked to a SCIM group');
    await store.linkTeam(this.#database, { id: teamId, groupId: null, paused: 0, now: this.#clock() });
    await this.#groups.giveAgain(groupId, teamId);
  }

  async #team(actor: Actor, id: string): Promise<store.LinkableTeam> {
    assertSiteAdmin(actor);
    const team = await store.findTeam(this.#database, id);
    if (team === undefined) throw notFound();
    return team;
  }
}
