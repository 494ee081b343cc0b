import type { Queries } from '../../../storage/index.ts';
import type { Grant } from '../permissions/grants.ts';
import { organizationPermissions } from '../permissions/organization.ts';
import { userGrant } from '../permissions/principal-access.ts';
import { teamPermissions } from '../permissions/team.ts';
import { type InvitationLink, teamsOfInvitation } from './store.ts';

/** Parts of a link that decide whether it works. */
export type LinkAuthority = Pick<InvitationLink, 'membershipId' | 'organizationId' | 'createdBy' | 'mailed'>;

/**
 * Returns whether a grant allows to invite somebody into the present teams of an invitation: who has its link becomes a
 * member of them. Secret teams count too.
 */
export async function coversInvitation(db: Queries, grant: Grant, membershipId: string): Promise<boolean> {
  if (!organizationPermissions(grant)['can-manage-users']) return false;
  const teams = await teamsOfInvitation(db, membershipId);
  return teams.every(({ owners, ...team }) => {
    const target = { ...team, owners: owners === 1, allowsMemberTokens: false };
    return teamPermissions(grant, target, true)['can-update-membership'];
  });
}

/**
 * Returns whether a link works. A copied link has the present permissions of its creator, at each use: it ends when they
 * are removed, suspended or demoted, and when an owner adds the invited user to a team that the creator does not manage.
 * A mailed link works for the owner of the mailbox, whom the invitation itself names.
 */
export async function isCovered(db: Queries, link: LinkAuthority): Promise<boolean> {
  if (link.mailed === 1) return true;
  const grant = link.createdBy === null ? undefined : await userGrant(db, link.createdBy, link.organizationId);
  return grant !== undefined && coversInvitation(db, grant, link.membershipId);
}
