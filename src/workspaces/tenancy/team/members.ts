import type { Database } from '../../../storage/index.ts';
import { unprocessable } from '../../jsonapi/errors.ts';
import type { Actor } from '../permissions/actor.ts';
import * as store from './member-store.ts';
import type { Team, Teams } from './teams.ts';

/** Manages the members of teams. */
export class TeamMembers {
  readonly #database: Database;
  readonly #teams: Teams;

  constructor(database: Database, teams: Teams) {
    this.#database = database;
    this.#teams = teams;
  }

  /** Returns the members of each team. The caller has found the teams for the actor. */
  async ofTeams(teamIds: readonly string[]): Promise<ReadonlyMap<string, readonly store.Member[]>> {
    return Map.groupBy(await store.membersOfTeams(this.#database, teamIds), ({ teamId }) => teamId);
  }

  /**
   * Adds all users or none. Existing members stay.
   * @throws 404 without permission; 422 for a name that no user of the organization has
   */
  async add(actor: Actor, teamId: string, usernames: readonly string[]): Promise<void> {
    const { organizationId } = await this.#teams.find(actor, teamId, 'can-update-membership');
    const known = await store.candidateMembers(this.#database, organizationId, usernames);
    const ids = new Map(known.filter(({ belongs }) => belongs === 1).map(({ username, id }) => [username, id]));
    const issues = usernames.flatMap((username, index) =>
      ids.has(username)
        ? []
        : [{ detail: 'No member of the organization has this name', pointer: `/data/${index}/id` }],
    );
    if (issues.length > 0) throw unprocessable(issues.slice(0, 10));
    await this.admit(teamId, [...ids.values()]);
  }

  /**
   * Removes users. Ignores users who are not members.
   * @throws 404 without permission; 422 for the last owner
   */
  async remove(actor: Actor, teamId: string, usernames: readonly string[]): Promise<void> {
    const team = await this.#teams.find(actor, teamId, 'can-update-membership');
    const known = await store.candidateMembers(this.#database, team.organizationId, usernames);
    await this.dismiss(
      team,
      known.map(({ id }) => id),
    );
  }

  /** Adds accounts. The caller has found the team for the actor, and the accounts in its organization. */
  async admit(teamId: string, accountIds: readonly string[]): Promise<void> {
    await this.#database.transaction(async (tx) => {
      for (const id of accountIds) await store.addMember(tx, teamId, id);
    });
  }

  /**
   * Removes accounts. The caller has found the team for the actor.
   * @throws 422 for the last owner
   */
  async dismiss({ id: teamId, owners }: Team, accountIds: readonly string[]): Promise<void> {
    await this.#database.transaction(async (tx) => {
      for (const id of accountIds) await store.removeMember(tx, teamId, id);
      if (owners && (await store.countTeamMembers(tx, teamId)) === 0) {
        throw unprocessable([{ detail: 'An organization needs at least one owner. Add another one first' }]);
      }
    });
  }
}
