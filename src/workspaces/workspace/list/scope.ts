import type { Queries } from '../../../storage/index.ts';
import { tallied } from '../../platform/tally.ts';
import { type Fragment, fragment, isOneOf, select } from '../../query/dynamic.ts';
import { type Grant, organizationWideAccess, showsWorkspace } from '../../tenancy/index.ts';
import { NOT_DELETED } from '../model/row.ts';

/** Scope of a list: an organization, or one of its projects. */
export interface ListScope {
  readonly organizationId: string;
  readonly projectId: string | undefined;
  /** Number of workspaces in the scope. */
  readonly count: number;
  readonly grant: Grant;
}

/** The part of the scope that an actor with restricted access sees, by workspace grants and project grants. */
export interface Visible {
  readonly teamIds: readonly string[];
  /** Projects of the scope that are visible as a whole. */
  readonly projectIds: readonly string[];
  /** Number of distinct visible workspaces. */
  readonly count: number;
}

const TALLIED = fragment.raw(tallied('project.id'));
/**
 * A separate query for each part pays only for a few parts.
 * @limit parts of a search scope for workspaces that are queried separately, parts -> one query reads all parts
 */
const MAX_PARTS = 20;

/**
 * Returns the visible part; undefined for an actor who sees the whole scope. The cost grows with the actor's grants,
 * not with the number of workspaces.
 */
export async function visibleIn(db: Queries, scope: ListScope): Promise<Visible | undefined> {
  const { grant, projectId } = scope;
  if (showsWorkspace(organizationWideAccess(grant))) return undefined;
  const { teamIds } = grant;
  const ofTeams = isOneOf('team_id', teamIds);
  const within = projectId === undefined ? fragment`` : fragment`and project_id = ${projectId}`;
  const projects = await select(
    db,
    fragment<{
      id: string;
      workspaceCount: number;
    }>`select id, workspace_count + ${TALLIED} as "workspaceCount" from project
      where id in (select project_id from team_project where ${ofTeams} and shows = 1 ${within})`,
  );
  const projectIds = projects.map(({ id }) => id);
  if (projectId !== undefined && projectIds.length > 0) return undefined;
  // A team has at most one grant for a workspace.
  const each = fragment.raw(teamIds.length === 1 ? '*' : 'distinct workspace_id');
  const [single] = await select(
    db,
    fragment<{ count: number }>`select count(${each}) as count from team_workspace
      where ${ofTeams} and shows = 1 ${within} and not ${isOneOf('project_id', projectIds)}`,
  );
  const whole = projects.reduce((sum, { workspaceCount }) => sum + workspaceCount, 0);
  return { teamIds, projectIds, count: whole + (single?.count ?? 0) };
}

/** Counts the workspace grants of the teams, up to a limit. */
export async function grantsUpTo(db: Queries, teamIds: readonly string[], limit: number): Promise<number> {
  const [counted] = await select(
    db,
    fragment<{ count: number }>`select count(*) as count from (select 1 from team_workspace
      where ${isOneOf('team_id', teamIds)} and shows = 1 limit ${limit}) g`,
  );
  return counted?.count ?? 0;
}

/** Returns the condition that workspace `w` is visible. */
export function isSeen({ teamIds, projectIds }: Visible): Fragment {
  return fragment`(exists (select 1 from team_workspace a
      where a.workspace_id = w.id and a.shows = 1 and ${isOneOf('a.team_id', teamIds)})
    or ${isOneOf('w.project_id', projectIds)})`;
}

/** Number of first rows that suffice from each part of a list. */
export interface Head {
  readonly rows: number;
  readonly descending: boolean;
}

/**
 * Returns all visible workspaces as a table of workspace_id and workspace_name without duplicates. A `head` keeps only
 * the first rows by name; each part is then read in index order and no further.
 */
export function seenTable({ teamIds, projectIds }: Visible, scope: ListScope, head: Head | undefined): Fragment {
  const within = scope.projectId === undefined ? fragment`` : fragment`and project_id = ${scope.projectId}`;
  const byTeam = partsOf(teamIds).map(
    (
      ids,
    ) => fragment`select ${fragment.raw(ids.length === 1 ? '' : 'distinct')} workspace_id, workspace_name from team_workspace
      where ${isOneOf('team_id', ids)} and shows = 1 ${within}`,
  );
  const byProject = partsOf(projectIds).map(
    (ids) =>
      fragment`select w.id as workspace_id, w.name as workspace_name from workspace w
      where ${isOneOf('w.project_id', ids)} and ${fragment.raw(NOT_DELETED)}`,
  );
  const parts = [...byTeam, ...byProject].map((part) => (head === undefined ? part : headOf(part, head)));
  if (parts.length === 0)
    return fragment`(select id as workspace_id, name as workspace_name from workspace where 1 = 0) d`;
  return fragment`(${fragment.join(parts, fragment` union `)}) d`;
}

function headOf(part: Fragment, { rows, descending }: Head): Fragment {
  const order = fragment.raw(descending ? 'workspace_name desc' : 'workspace_name');
  return fragment`select * from (${part} order by ${order} limit ${rows}) h`;
}

function partsOf(ids: readonly string[]): string[][] {
  return ids.length > MAX_PARTS ? [[...ids]] : ids.map((id) => [id]);
}
