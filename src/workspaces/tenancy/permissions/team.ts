import type { Issue } from '../../../lib/errors.ts';
import { attributeIssue } from '../../jsonapi/errors.ts';
import { ACCESS_FLAGS, type Grant, NO_GRANT, type OrganizationAccess } from './grants.ts';

/** Fields of a team that decide about access to it. */
export interface TeamTarget {
  readonly id: string;
  readonly owners: boolean;
  readonly visibility: string;
  readonly allowsMemberTokens: boolean;
}

/** Returns whether the grant shows secret teams. Managing teams or being in one does not show them by itself. */
export function seesSecretTeams({ owner, access }: Grant): boolean {
  const manages = access['manage-membership'] || access['manage-teams'] || access['manage-organization-access'];
  return owner || (manages && access['access-secret-teams']);
}

/**
 * Permissions on a team; no other place decides about them. A team is visible to its members, to the
 * whole organization unless it is secret, and to actors that see secret teams. Only owners manage the owners team.
 * @param person whether the actor is a user: only users create tokens for their own team, so that a short login cannot
 * be turned into a long one
 */
export function teamPermissions(grant: Grant, team: TeamTarget, person: boolean) {
  const { owner, access } = grant;
  const mine = grant.teamIds.includes(team.id);
  const sees = team.visibility === 'organization' || mine || seesSecretTeams(grant);
  const manages = sees && (owner || access['manage-teams']);
  const may = (allowed: boolean) => allowed && !team.owners;
  const tokens = (team.owners ? owner : manages) || (mine && person && team.allowsMemberTokens);
  return {
    'can-read': sees,
    'can-destroy': may(manages),
    'can-update-name': may(manages),
    'can-update-visibility': may(manages),
    'can-update-sso-team-id': may(manages),
    'can-update-member-token-management': may(manages),
    'can-update-organization-access': may(sees && (owner || access['manage-organization-access'])),
    'can-update-membership': owner || may(sees && access['manage-membership']),
    'can-update-api-token': tokens,
    'can-view-api-token': tokens,
    'can-manage-machine-identities': owner,
  };
}

/** Permission on a team. */
export type TeamPermission = keyof ReturnType<typeof teamPermissions>;
const ANY_TEAM = { id: '', owners: false, visibility: 'secret', allowsMemberTokens: false };
export const TEAM_PERMISSIONS = Object.keys(teamPermissions(NO_GRANT, ANY_TEAM, false)) as TeamPermission[];

/**
 * Checks that an actor gives only flags that it has; owners may give all. Returns one issue for each flag that it may
 * not switch on.
 */
export function unownedFlags({ owner, access }: Grant, given: Partial<OrganizationAccess>): Issue[] {
  if (owner) return [];
  return ACCESS_FLAGS.filter(
    (flag) => given[flag] === true && !(access['manage-organization-access'] && access[flag]),
  ).map((flag) =>
    attributeIssue(`organization-access/${flag}`, `${flag} cannot be given: you do not have it yourself`),
  );
}
