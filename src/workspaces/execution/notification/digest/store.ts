import { type Queries, sql, type Transaction } from '../../../../storage/index.ts';
import { type Fragment, fragment, isOneOf, select } from '../../../query/dynamic.ts';
import { NOT_DELETED } from '../../../workspace/index.ts';
import type { DestinationType, DigestEntry, DigestSection, Owner } from '../notification.ts';
import { readsRuns } from '../queue-store.ts';
import { WAITING_STATUSES } from '../triggers.ts';

/** @limit digests that one sweep stores, digests -> the next sweep stores the others */
const MAX_DUE = 50;
/** @limit workspaces of one kind that a digest names, workspaces -> the others are counted */
const MAX_ENTRIES = 20;
/** @limit workspaces of one kind that a digest counts, workspaces -> the number stays at this value */
const MAX_COUNTED = 1000;

/** Configuration with a digest. */
export interface DigestRow extends Owner {
  readonly destinationType: DestinationType;
  /** Options as JSON. */
  readonly digest: string;
  readonly digestAt: number;
  readonly organizationName: string;
  /** Name of the workspace, project or team; null for the organization. */
  readonly scopeName: string | null;
}

const selectDue = sql<{ now: number; limit: number }, { id: string }>(
  `SELECT c.id FROM notification_configuration c JOIN organization o ON o.id = c.organization_id AND o.deleted_at IS NULL
   WHERE c.digest_at <= :now AND c.digest_at IS NOT NULL ORDER BY c.digest_at, c.id LIMIT :limit`,
);
const selectDigest = sql<{ id: string }, DigestRow>(
  `SELECT c.organization_id AS "organizationId", c.workspace_id AS "workspaceId", c.project_id AS "projectId",
     c.team_id AS "teamId", c.destination_type AS "destinationType", c.digest, c.digest_at AS "digestAt",
     o.name AS "organizationName", COALESCE(w.name, p.name, t.name) AS "scopeName"
   FROM notification_configuration c JOIN organization o ON o.id = c.organization_id
     LEFT JOIN workspace w ON w.id = c.workspace_id LEFT JOIN project p ON p.id = c.project_id
     LEFT JOIN team t ON t.id = c.team_id
   WHERE c.id = :id AND c.enabled = 1 AND c.digest IS NOT NULL AND c.digest_at IS NOT NULL`,
);
const move = sql<{ id: string; seen: number; next: number }, { id: string }>(
  `UPDATE notification_configuration SET digest_at = CAST(:next AS BIGINT) WHERE id = :id AND digest_at = :seen
   RETURNING id`,
);

/** Returns some configurations whose digest is due, longest due first. */
export async function dueDigests(db: Queries, now: number): Promise<string[]> {
  return (await db.all(selectDue, { now, limit: MAX_DUE })).map(({ id }) => id);
}

/** Returns an enabled configuration with a digest. */
export function findDigest(db: Queries, id: string) {
  return db.one(selectDigest, { id });
}

/** Moves the time of the next digest. Returns false if another node has done so. */
export async function moveDigest(tx: Transaction, id: string, seen: number, next: number): Promise<boolean> {
  return (await tx.one(move, { id, seen, next })) !== undefined;
}

/** Returns what waits in a scope, without empty sections. @param before runs that have waited since then are listed */
export async function waitingIn(db: Queries, owner: Owner, before: number): Promise<DigestSection[]> {
  const sections: DigestSection[] = [];
  for (const [kind, source] of sources(owner, before)) {
    const rows = await select(db, fragment<DigestEntry>`${source} limit ${MAX_COUNTED}`);
    if (rows.length > 0) sections.push({ kind, total: rows.length, entries: rows.slice(0, MAX_ENTRIES) });
  }
  return sections;
}

/** Each query reads by an index of the organization: runs by status, workspaces by the status of their last run. */
function sources(owner: Owner, before: number): (readonly [DigestSection['kind'], Fragment])[] {
  const workspaces = fragment`${fragment.raw(NOT_DELETED)} and ${inScope(owner)}`;
  return [
    [
      'confirmation',
      fragment`select w.id as "workspaceId", w.name as "workspaceName", r.id as "runId", r.created_at as since
        from run r join workspace w on w.id = r.workspace_id
        where r.organization_id = ${owner.organizationId} and ${isOneOf('r.status', WAITING_STATUSES)}
          and r.operation <> 'assessment' and r.created_at <= ${before} and ${workspaces} order by r.created_at, r.id`,
    ],
    [
      'errored',
      fragment`select w.id as "workspaceId", w.name as "workspaceName", w.current_run_id as "runId", w.current_run_created_at as since
        from workspace w where w.organization_id = ${owner.organizationId} and w.current_run_status = 'errored'
          and ${workspaces} order by w.name`,
    ],
    [
      'drifted',
      fragment`select w.id as "workspaceId", w.name as "workspaceName", null as "runId", a.finished_at as since
        from workspace w join assessment_result a on a.id = w.assessment_result_id
        where w.organization_id = ${owner.organizationId} and w.assessment_result_id is not null
          and a.drifted = 1 and a.succeeded = 1 and ${workspaces}
        order by w.name`,
    ],
    [
      'auto-destroy',
      fragment`select w.id as "workspaceId", w.name as "workspaceName", a.run_id as "runId", a.due_at as since
        from auto_destroy a join workspace w on w.id = a.workspace_id
        where a.organization_id = ${owner.organizationId} and a.state in ('blocked', 'failed', 'stopped')
          and ${workspaces} order by a.due_at, w.name`,
    ],
  ];
}

/** Workspaces of the scope, as events have it (queue-store.ts). */
function inScope({ projectId, teamId, workspaceId }: Owner): Fragment {
  if (workspaceId !== null) return fragment`w.id = ${workspaceId}`;
  if (projectId !== null) return fragment`w.project_id = ${projectId}`;
  if (teamId === null) return fragment`1 = 1`;
  return fragment`(exists (select 1 from team_workspace tw
      where tw.team_id = ${teamId} and tw.workspace_id = w.id and ${fragment.raw(readsRuns('tw'))})
    or exists (select 1 from team_project tp
      where tp.team_id = ${teamId} and tp.project_id = w.project_id and ${fragment.raw(readsRuns('tp'))}))`;
}
