import type { Database } from '../../../storage/index.ts';
import { unprocessable } from '../../jsonapi/errors.ts';
import type { Actor } from '../permissions/actor.ts';
import * as store from './member-store.ts';
import type { Team, Teams } from './teams.ts';

/** Who is in which team. */
export class TeamMembers {
  readonly #database: Database;
  readonly #teams: Teams;

  constructor(database: Database, teams: Teams) {
    this.#database = database;
    this.#teams = teams;
  }

  /** Of each of these teams, which the caller has found for the actor. */
  async ofTeams(teamIds: readonly string[]): Promise<ReadonlyMap<string, readonly store.Member[]>> {
    return Map.groupBy(await store.membersOfTeams(this.#database, teamIds), ({ teamId }) => teamId);
  }

  /**
   * All of them or none; whoever is in the team stays in it.
   * @throws 404 when the actor may not, 422 for a name that nobody in the organization has
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

  /** Whoever is not in the team is passed over. @throws 404 when the actor may not, 422 for the last owner */
  async remove(actor: Actor, teamId: string, usernames: readonly string[]): Promise<void> {
    const team = await this.#teams.find(actor, teamId, 'can-update-membership');
    const known = await store.candidateMembers(this.#database, team.organizationId, usernames);
    await this.dismiss(
      team,
      known.map(({ id }) => id),
    );
  }

  /** For a caller who has found the team for the actor, and the accounts in its organization. */
  async admit(teamId: string, accountIds: readonly string[]): Promise<void> {
    await this.#database.transaction(async (tx) => {
      for (const id of accountIds) await store.addMember(tx, teamId, id);
    });
  }

  /** For a caller who has found the team for the actor. @throws 422 for the last owner */
  async dismiss({ id: teamId, owners }: Team, accountIds: readonly string[]): Promise<void> {
    await this.#database.transaction(async (tx) => {
      for (const id of accountIds) await store.removeMember(tx, teamId, id);
      if (owners && (await store.countTeamMembers(tx, teamId)) === 0) {
        throw unprocessable([{ detail: 'An organization has at least one owner' }]);
      }
    });
  }
}
