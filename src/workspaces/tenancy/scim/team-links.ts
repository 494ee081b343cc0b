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

/** Which group gives which team, as those who run the installation decide. */
export class ScimTeamLinks {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #groups: ScimGroups;

  constructor(database: Database, clock: Clock, groups: ScimGroups) {
    this.#database = database;
    this.#clock = clock;
    this.#groups = groups;
  }

  /** By name. @throws 404 for whoever does not run the installation */
  async list(actor: Actor, query: string, page: Page): Promise<Slice<ScimGroup>> {
    assertSiteAdmin(actor);
    const pattern = query === '' ? undefined : containing(query.toLowerCase());
    return store.listGroupsNamed(this.#database, pattern, page);
  }

  /** @throws 404 as above, and for a team or a group that is not there; 409 for a team that has one, 422 for one that may have none */
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

  /** While it is paused whoever is in the team stays, and nobody comes by the group. @throws 404 as above, 409 for a team without one */
  async pause(actor: Actor, teamId: string, isPaused: boolean): Promise<void> {
    const { groupId } = await this.#team(actor, teamId);
    if (groupId === null) throw conflict('Team is not linked to a SCIM group');
    await store.linkTeam(this.#database, { id: teamId, groupId, paused: Number(isPaused), now: this.#clock() });
    if (!isPaused) await this.#groups.giveAgain(groupId, teamId);
  }

  /** Whoever came by the group goes. @throws 404 as above, 409 for a team without one */
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
