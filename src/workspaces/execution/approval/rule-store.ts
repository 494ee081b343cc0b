import { type Queries, sql } from '../../../storage/index.ts';
import { type Fragment, fragment, isOneOf, select } from '../../query/dynamic.ts';
import type { ApprovalRule, RuleOperations, RuleTeam } from './approval.ts';

/** Project or workspace that a rule belongs to. */
export type RuleOwner =
  | { readonly projectId: string; readonly workspaceId: null }
  | { readonly projectId: null; readonly workspaceId: string };

interface Row extends Omit<ApprovalRule, 'teams' | 'requesterMayApprove'> {
  readonly requesterMayApprove: number;
}

/** A rule that holds for a workspace, and the workspace. */
type RowInForce = Row & { readonly ofWorkspace: string; readonly ofProject: string };

/** Rule that holds for a workspace: its own, or one of its project. */
export interface RuleInForce {
  readonly workspaceId: string;
  /** Current project of the workspace. */
  readonly projectId: string;
  readonly rule: ApprovalRule;
}

interface TeamRow {
  readonly ruleId: string;
  readonly id: string;
  readonly storedName: string;
  readonly name: string | null;
  readonly visibility: string | null;
}

/** Stored columns of a rule. */
export interface StoredRule {
  readonly id: string;
  readonly name: string;
  readonly required: number;
  readonly requesterMayApprove: boolean;
  readonly operations: RuleOperations;
  readonly updatedAt: number;
}

const COLUMNS = `r.id, r.organization_id AS "organizationId", r.project_id AS "projectId",
  r.workspace_id AS "workspaceId", r.name, r.required, r.requester_may_approve AS "requesterMayApprove", r.operations,
  r.created_at AS "createdAt", r.updated_at AS "updatedAt"`;

const insertStatement = sql<{
  id: string;
  organizationId: string;
  projectId: string | null;
  workspaceId: string | null;
  name: string;
  required: number;
  requesterMayApprove: number;
  operations: string;
  createdAt: number;
  updatedAt: number;
}>(
  `INSERT INTO approval_rule (id, organization_id, project_id, workspace_id, name, required, requester_may_approve,
     operations, created_at, updated_at)
   VALUES (:id, :organizationId, :projectId, :workspaceId, :name, :required, :requesterMayApprove, :operations,
     :createdAt, :updatedAt)`,
);
// Locks the row, because a change depends on its current values.
const claimStatement = sql<{ id: string }, { id: string }>(
  'UPDATE approval_rule SET name = name WHERE id = :id RETURNING id',
);
const updateStatement = sql<{
  id: string;
  name: string;
  required: number;
  requesterMayApprove: number;
  operations: string;
  updatedAt: number;
}>(
  `UPDATE approval_rule SET name = :name, required = :required, requester_may_approve = :requesterMayApprove,
     operations = :operations, updated_at = :updatedAt WHERE id = :id`,
);
const removeStatement = sql<{ id: string }>('DELETE FROM approval_rule WHERE id = :id');
const removeTeams = sql<{ ruleId: string }>('DELETE FROM approval_rule_team WHERE rule_id = :ruleId');
const insertTeam = sql<{ ruleId: string; teamId: string; teamName: string }>(
  'INSERT INTO approval_rule_team (rule_id, team_id, team_name) VALUES (:ruleId, :teamId, :teamName)',
);

/** Finds a rule. Returns undefined if there is none. */
export async function findRule(db: Queries, id: string): Promise<ApprovalRule | undefined> {
  return (await rulesWhere(db, fragment`r.id = ${id}`))[0];
}

/** Returns the rules of a project or a workspace, oldest first. */
export function rulesOf(db: Queries, { projectId, workspaceId }: RuleOwner): Promise<ApprovalRule[]> {
  return rulesWhere(
    db,
    workspaceId === null ? fragment`r.project_id = ${projectId}` : fragment`r.workspace_id = ${workspaceId}`,
  );
}

async function rulesWhere(db: Queries, where: Fragment): Promise<ApprovalRule[]> {
  const columns = fragment.raw(COLUMNS);
  const rows = await select(db, fragment<Row>`select ${columns} from approval_rule r where ${where} order by r.id`);
  return withTeams(db, rows);
}

/** Returns the rules that hold for these workspaces: their own, and those of their current projects. */
export async function rulesInForce(db: Queries, workspaceIds: readonly string[]): Promise<RuleInForce[]> {
  if (workspaceIds.length === 0) return [];
  const columns = fragment.raw(`w.id AS "ofWorkspace", w.project_id AS "ofProject", ${COLUMNS}`);
  const rows = await select(
    db,
    fragment<RowInForce>`
      select ${columns} from workspace w join approval_rule r on r.project_id = w.project_id
        where ${isOneOf('w.id', workspaceIds)}
      union all
      select ${columns} from workspace w join approval_rule r on r.workspace_id = w.id
        where ${isOneOf('w.id', workspaceIds)}`,
  );
  const rules = new Map((await withTeams(db, rows)).map((rule) => [rule.id, rule]));
  return rows.flatMap(({ id, ofWorkspace, ofProject }) => {
    const rule = rules.get(id);
    return rule === undefined ? [] : [{ workspaceId: ofWorkspace, projectId: ofProject, rule }];
  });
}

async function withTeams(db: Queries, rows: readonly Row[]): Promise<ApprovalRule[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const found = await select(
    db,
    fragment<TeamRow>`
      select m.rule_id as "ruleId", m.team_id as id, m.team_name as "storedName", t.name, t.visibility
      from approval_rule_team m left join team t on t.id = m.team_id where ${isOneOf('m.rule_id', ids)} order by m.team_id`,
  );
  const byRule = Map.groupBy(found, ({ ruleId }) => ruleId);
  return rows.map((row) => ({
    ...ruleOf(row),
    teams: (byRule.get(row.id) ?? []).map(teamOf),
  }));
}

function ruleOf(row: Row) {
  const { id, organizationId, projectId, workspaceId, name, required, operations, createdAt, updatedAt } = row;
  const requesterMayApprove = row.requesterMayApprove === 1;
  return {
    ...{ id, organizationId, projectId, workspaceId, name, required, requesterMayApprove, operations },
    ...{ createdAt, updatedAt },
  };
}

/** The name of a team that was secret is not stored. */
function teamOf({ id, storedName, name, visibility }: TeamRow): RuleTeam {
  const exists = name !== null;
  return { id, name: name ?? storedName, exists, secret: exists ? visibility === 'secret' : storedName === '' };
}

/** Inserts a rule without teams. */
export function insertRule(db: Queries, rule: StoredRule & RuleOwner & { organizationId: string; createdAt: number }) {
  return db.run(insertStatement, { ...rule, requesterMayApprove: Number(rule.requesterMayApprove) });
}

/** Locks the row until the transaction ends. Returns false if the rule was deleted. */
export async function claimRule(db: Queries, id: string): Promise<boolean> {
  return (await db.one(claimStatement, { id })) !== undefined;
}

/** Updates a rule, but not its teams. Call `claimRule` first. */
export function updateRule(db: Queries, rule: StoredRule) {
  const { id, name, required, operations, updatedAt } = rule;
  const requesterMayApprove = Number(rule.requesterMayApprove);
  return db.run(updateStatement, { id, name, required, requesterMayApprove, operations, updatedAt });
}

/** Replaces the teams of a rule. */
export async function setTeams(
  db: Queries,
  ruleId: string,
  teams: readonly { readonly id: string; readonly name: string; readonly secret: boolean }[],
): Promise<void> {
  await db.run(removeTeams, { ruleId });
  for (const { id, name, secret } of teams) {
    await db.run(insertTeam, { ruleId, teamId: id, teamName: secret ? '' : name });
  }
}

export function removeRule(db: Queries, id: string) {
  return db.run(removeStatement, { id });
}
