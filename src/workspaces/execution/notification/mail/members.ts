import type { Queries } from '../../../../storage/index.ts';
import { fragment, isOneOf, select } from '../../../query/dynamic.ts';
import type { Owner } from '../notification.ts';

/** User who may be a recipient. */
export interface MemberMailbox {
  readonly id: string;
  /** Address that the operator, or an identity provider, has confirmed. */
  readonly email: string;
  /** 1 if the user gets emails: 0 for invited users, whose address is not confirmed, and for suspended ones. */
  readonly isActive: number;
}

/** Returns those of the users who are in the organization, and in the team if the configuration is of one. */
export function memberMailboxes(
  db: Queries,
  { organizationId, teamId }: Pick<Owner, 'organizationId' | 'teamId'>,
  ids: readonly string[],
): Promise<MemberMailbox[]> {
  if (ids.length === 0) return Promise.resolve([]);
  const inTeam =
    teamId === null
      ? fragment``
      : fragment`and exists (select 1 from team_member tm where tm.team_id = ${teamId} and tm.account_id = a.id)`;
  const membership = fragment`select 1 from organization_membership m
    where m.account_id = a.id and m.organization_id = ${organizationId}`;
  const byTeam = fragment`exists (select 1 from team_member tm join team t on t.id = tm.team_id
    where tm.account_id = a.id and t.organization_id = ${organizationId})`;
  return select(
    db,
    fragment<MemberMailbox>`select a.id, a.email,
        case when a.invited = 0 and a.suspended_at is null and (exists (${membership} and m.status = 'active') or ${byTeam})
          then 1 else 0 end as "isActive"
      from account a where ${isOneOf('a.id', ids)} and a.service = 0 and (exists (${membership}) or ${byTeam}) ${inTeam}`,
  );
}
