import { type Queries, sql } from '../../../storage/index.ts';
import { fragment, isOneOf, select } from '../../query/dynamic.ts';

const insertMember = sql<{ teamId: string; accountId: string }>(
  'INSERT INTO team_member (team_id, account_id) VALUES (:teamId, :accountId) ON CONFLICT (team_id, account_id) DO UPDATE SET managed = 0',
);
const removeMemberStatement = sql<{ teamId: string; accountId: string }>(
  'DELETE FROM team_member WHERE team_id = :teamId AND account_id = :accountId',
);
const countOfTeam = sql<{ teamId: string }, { count: number }>(
  `SELECT COUNT(*) AS count FROM team_member m JOIN account a ON a.id = m.account_id
   WHERE m.team_id = :teamId AND a.invited = 0`,
);

const selectIds = sql<{ teamId: string; limit: number }, { id: string }>(
  'SELECT account_id AS id FROM team_member WHERE team_id = :teamId ORDER BY account_id LIMIT :limit',
);

/** Adds a member. An existing membership stays unchanged. */
export function addMember(db: Queries, teamId: string, accountId: string) {
  return db.run(insertMember, { teamId, accountId });
}

/** Removes a member, if the user is one. */
export function removeMember(db: Queries, teamId: string, accountId: string) {
  return db.run(removeMemberStatement, { teamId, accountId });
}

/** Counts the users in a team, without invited users. */
export async function countTeamMembers(db: Queries, teamId: string): Promise<number> {
  return (await db.one(countOfTeam, { teamId }))?.count ?? 0;
}

/** Returns the ids of the users in a team, invited and suspended ones too, at most so many. */
export async function teamMemberIds(db: Queries, teamId: string, limit: number): Promise<string[]> {
  return (await db.all(selectIds, { teamId, limit })).map(({ id }) => id);
}

/** Member of a team. `membershipId` is null for a user who is in the organization only by the team. */
export interface Member {
  readonly teamId: string;
  readonly accountId: string;
  readonly membershipId: string | null;
}

/** Returns the members of these teams, by name. */
export function membersOfTeams(db: Queries, teamIds: readonly string[]) {
  return select(
    db,
    fragment<Member>`select m.team_id as "teamId", m.account_id as "accountId", s.id as "membershipId"
      from team_member m join team t on t.id = m.team_id join account a on a.id = m.account_id
        left join organization_membership s
          on s.account_id = m.account_id and s.organization_id = t.organization_id
      where ${isOneOf('m.team_id', teamIds)} order by a.username`,
  );
}

/** User with a flag whether they are in the organization, as a member or by one of its teams. */
export interface Candidate {
  readonly id: string;
  readonly username: string;
  readonly belongs: number;
}

/** Returns the existing users with these names. */
export function candidateMembers(db: Queries, organizationId: string, usernames: readonly string[]) {
  return select(
    db,
    fragment<Candidate>`select a.id, a.username, case when
        exists (select 1 from organization_membership s
          where s.account_id = a.id and s.organization_id = ${organizationId})
        or exists (select 1 from team_member m join team t on t.id = m.team_id
          where m.account_id = a.id and t.organization_id = ${organizationId}) then 1 else 0 end as belongs
      from account a where ${isOneOf('a.username', usernames)}`,
  );
}
