import type { Transaction } from '../../../storage/index.ts';
import type { Admission } from '../user/admission.ts';
import type { User } from '../user/users.ts';
import * as store from './store.ts';

export type { GivenTeam } from './store.ts';

/** Teams and site administration that the groups give to a user. */
export interface Given {
  readonly teams: readonly store.GivenTeam[];
  readonly isSiteAdmin: boolean;
}

/**
 * Updates a user's teams and site administration to the current groups. Memberships that were added by hand stay, as
 * does the last owner of an organization.
 */
export async function makeEqual(tx: Transaction, admission: Admission, user: User, given: Given): Promise<void> {
  const wanted = new Map(given.teams.map((team) => [team.id, team]));
  for (const team of await store.managedTeams(tx, user.id)) {
    if (!wanted.has(team.id)) await store.leaveTeam(tx, team, user.id);
  }
  for (const { id, organizationId } of wanted.values()) {
    await store.joinTeam(tx, id, user.id);
    if (await store.isMember(tx, organizationId, user.id)) continue;
    await admission.admit(tx, organizationId, user);
    await store.manageMembership(tx, organizationId, user.id);
  }
  await store.removeMembershipsWithoutTeam(tx, user.id);
  await store.setSiteAdmin(tx, user.id, given.isSiteAdmin);
}
