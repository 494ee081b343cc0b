import type { Issue } from '../../../lib/errors.ts';
import { attributeIssue } from '../../jsonapi/errors.ts';
import { ACCESS_FLAGS, type Grant, type OrganizationAccess } from './grants.ts';

/** A team, as far as access to it is concerned. */
export interface TeamTarget {
  readonly id: string;
  readonly owners: boolean;
  readonly visibility: string;
  readonly allowsMemberTokens: boolean;
}

/** Whoever manages teams or who is in them has nothing to do with secret ones, unless told otherwise. */
export function seesSecretTeams({ owner, access }: Grant): boolean {
  const manages = access['manage-membership'] || access['manage-teams'] || access['manage-organization-access'];
  return owner || (manages && access['access-secret-teams']);
}

/**
 * The one table of who may do what with a team (facts §6.4). It is seen by its members, by the whole organization when
 * it is not secret, and by whoever sees secret teams. Only owners decide about the owners team.
 * @param person whether a user asks: only they make tokens for a team they are in, lest a short login become a long one
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

/** What can be asked of a team. */
export type TeamPermission = keyof ReturnType<typeof teamPermissions>;

/** Nobody but an owner gives what they do not have: one issue for each flag that is switched on in vain. */
export function unownedFlags({ owner, access }: Grant, given: Partial<OrganizationAccess>): Issue[] {
  if (owner) return [];
  return ACCESS_FLAGS.filter(
    (flag) => given[flag] === true && !(access['manage-organization-access'] && access[flag]),
  ).map((flag) => attributeIssue(`organization-access/${flag}`, `${flag} is not yours to give`));
}
