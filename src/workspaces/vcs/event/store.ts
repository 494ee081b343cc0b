import { type Queries, type Statement, sql, type Transaction } from '../../../storage/index.ts';
import { RowOutbox } from '../../delivery/index.ts';
import type { EventDetails, EventState, VcsEvent } from './event.ts';

/** Row of an event. */
export interface EventRow extends Omit<VcsEvent, 'details'> {
  /** Details as JSON. */
  readonly details: string;
  /** The only workspace that the event concerns; null: all that follow the repository. */
  readonly workspaceId: string | null;
  /** Host of the repository. */
  readonly target: string;
}

export const COLUMNS = `id, organization_id AS "organizationId", repository_id AS "repositoryId",
  workspace_id AS "workspaceId", kind, ref, before_id AS "beforeId", after_id AS "afterId", details, state, problem,
  created_at AS "createdAt", target`;

/** Events whose verdicts are missing. */
export const openEvents = new RowOutbox<EventRow>({ table: 'vcs_event', columns: COLUMNS });

type NewEvent = Omit<EventRow, 'state' | 'problem' | 'createdAt'>;
const insertEventStatement = sql<
  { readonly [Column in keyof NewEvent]: NewEvent[Column] } & { now: number }
>(
  `INSERT INTO vcs_event (id, organization_id, repository_id, workspace_id, kind, ref, before_id, after_id, details, state,
     created_at, target, due_at)
   VALUES (:id, :organizationId, :repositoryId, :workspaceId, :kind, :ref, :beforeId, :afterId, :details, 'waiting', :now,
     :target, :now)`,
);
const selectById = sql<{ id: string }, EventRow>(`SELECT ${COLUMNS} FROM vcs_event WHERE id = :id`);
const selectEarlier = sql<{ repositoryId: string; kind: string; ref: string; id: string }, { id: string }>(
  `SELECT id FROM vcs_event WHERE repository_id = :repositoryId AND kind = :kind AND ref = :ref AND id < :id
     AND state = 'waiting' AND workspace_id IS NULL LIMIT 1`,
);
const selectLater = sql<{ repositoryId: string; kind: string; ref: string; id: string }, { id: string }>(
  `SELECT id FROM vcs_event WHERE repository_id = :repositoryId AND kind = :kind AND ref = :ref AND id > :id
     AND state = 'done' AND workspace_id IS NULL LIMIT 1`,
);
const selectHead = sql<{ repositoryId: string; number: number }, { headId: string; state: string }>(
  'SELECT head_id AS "headId", state FROM vcs_pull WHERE repository_id = :repositoryId AND number = :number',
);
const selectRef = sql<{ repositoryId: string; name: string }, { commitId: string }>(
  'SELECT commit_id AS "commitId" FROM vcs_ref WHERE repository_id = :repositoryId AND name = :name',
);
const setStateStatement = sql<{ id: string; state: EventState; problem: string | null }>(
  'UPDATE vcs_event SET state = :state, problem = :problem WHERE id = :id',
);
const postpone = sql<{ id: string; failures: number; dueAt: number }>(
  'UPDATE vcs_event SET failures = :failures, due_at = CAST(:dueAt AS BIGINT) WHERE id = :id',
);
const renew = sql<{ id: string; claim: string; until: number }, { id: string }>(
  'UPDATE vcs_event SET claimed_until = :until WHERE id = :id AND claim = :claim RETURNING id',
);
const selectJudged = sql<{ eventId: string }, { workspaceId: string }>(
  'SELECT workspace_id AS "workspaceId" FROM vcs_verdict WHERE event_id = :eventId',
);
const selectVerdict = sql<{ eventId: string; workspaceId: string }, { outcome: string }>(
  'SELECT outcome FROM vcs_verdict WHERE event_id = :eventId AND workspace_id = :workspaceId',
);
const insertVerdictStatement = sql<
  { eventId: string; workspaceId: string; outcome: string; detail: string; runId: string | null; now: number }
>(
  `INSERT INTO vcs_verdict (event_id, workspace_id, outcome, detail, run_id, created_at)
   VALUES (:eventId, :workspaceId, :outcome, :detail, :runId, :now)`,
);
const insertRunStatement = sql<
  {
    workspaceId: string;
    commitId: string;
    kind: string;
    runId: string;
    eventId: string;
    pullNumber: number | null;
    now: number;
  },
  { runId: string }
>(
  `INSERT INTO vcs_run (workspace_id, commit_id, kind, run_id, event_id, pull_number, created_at)
   VALUES (:workspaceId, :commitId, :kind, :runId, :eventId, :pullNumber, :now)
   ON CONFLICT DO NOTHING RETURNING run_id AS "runId"`,
);
const setRunStatement = sql<{ workspaceId: string; commitId: string; kind: string; runId: string }>(
  'UPDATE vcs_run SET run_id = :runId WHERE workspace_id = :workspaceId AND commit_id = :commitId AND kind = :kind',
);
const removeRunStatement = sql<{ workspaceId: string; commitId: string; kind: string }>(
  'DELETE FROM vcs_run WHERE workspace_id = :workspaceId AND commit_id = :commitId AND kind = :kind',
);
const selectRan = sql<{ repositoryId: string; commitId: string; kind: string }, { workspaceId: string }>(
  `SELECT r.workspace_id AS "workspaceId" FROM vcs_run r JOIN vcs_workspace w ON w.workspace_id = r.workspace_id
   WHERE w.repository_id = :repositoryId AND r.commit_id = :commitId AND r.kind = :kind`,
);
const selectPullRuns = sql<{ repositoryId: string; pullNumber: number }, PullRun>(
  `SELECT r.workspace_id AS "workspaceId", r.commit_id AS "commitId", r.run_id AS "runId"
   FROM vcs_run r JOIN vcs_event e ON e.id = r.event_id
   WHERE e.repository_id = :repositoryId AND r.pull_number = :pullNumber AND r.kind = 'pull'`,
);
const selectLastRun = sql<{ workspaceId: string }, { commitId: string }>(
  `SELECT commit_id AS "commitId" FROM vcs_run WHERE workspace_id = :workspaceId AND kind = 'push'
   ORDER BY created_at DESC LIMIT 1`,
);
const removeOld = sql<{ before: number; step: number }>(
  `DELETE FROM vcs_event WHERE id IN (SELECT id FROM vcs_event WHERE created_at < :before ORDER BY created_at LIMIT :step)`,
);

/** Run of a commit of a pull request. */
export interface PullRun {
  readonly workspaceId: string;
  readonly commitId: string;
  readonly runId: string;
}

/** Stores an event, whose verdicts are due at once. */
export function insertEvent(
  tx: Transaction,
  { details, ...event }: Omit<NewEvent, 'details'> & { readonly details: EventDetails },
  now: number,
) {
  return tx.run(insertEventStatement, { ...event, details: JSON.stringify(details), now });
}

export function findEvent(db: Queries, id: string): Promise<EventRow | undefined> {
  return db.one(selectById, { id });
}

type Place = { readonly id: string; readonly repositoryId: string; readonly kind: string; readonly ref: string };

/** Returns whether an earlier event of the branch or tag still waits. */
export const hasEarlier = (db: Queries, event: Place): Promise<boolean> => has(db, selectEarlier, event);

/** Returns whether a later event of the branch or tag is done. */
export const hasLater = (db: Queries, event: Place): Promise<boolean> => has(db, selectLater, event);

async function has(
  db: Queries,
  statement: Statement<Place, { id: string }>,
  { id, repositoryId, kind, ref }: Place,
): Promise<boolean> {
  return (await db.one(statement, { id, repositoryId, kind, ref })) !== undefined;
}

/** Returns the head and state of a pull request at the last look-up. */
export function pullHead(db: Queries, repositoryId: string, number: number) {
  return db.one(selectHead, { repositoryId, number });
}

/** Returns the commit of a ref at the last look-up; undefined if it was not looked up. */
export async function commitOfRef(db: Queries, repositoryId: string, name: string): Promise<string | undefined> {
  return (await db.one(selectRef, { repositoryId, name }))?.commitId || undefined;
}

export function setEventState(tx: Transaction, id: string, state: EventState, problem: string | null) {
  return tx.run(setStateStatement, { id, state, problem });
}

/** Lets an event wait without counting a failure. */
export function postponeEvent(tx: Transaction, id: string, failures: number, dueAt: number) {
  return tx.run(postpone, { id, failures, dueAt });
}

/** Extends a claim. Returns false if it was lost. */
export async function renewClaim(db: Queries, id: string, claim: string, until: number): Promise<boolean> {
  return (await db.one(renew, { id, claim, until })) !== undefined;
}

/** Returns the workspaces that have a verdict of an event. */
export async function judgedWorkspaces(db: Queries, eventId: string): Promise<Set<string>> {
  return new Set((await db.all(selectJudged, { eventId })).map(({ workspaceId }) => workspaceId));
}

export interface NewVerdict {
  readonly eventId: string;
  readonly workspaceId: string;
  readonly outcome: string;
  /** JSON. */
  readonly detail: string;
  readonly runId: string | null;
}

export async function hasVerdict(db: Queries, eventId: string, workspaceId: string): Promise<boolean> {
  return (await db.one(selectVerdict, { eventId, workspaceId })) !== undefined;
}

/** Stores a verdict, of which each workspace has one for an event. */
export function insertVerdict(tx: Transaction, verdict: NewVerdict, now: number) {
  return tx.run(insertVerdictStatement, { ...verdict, now });
}

/** A commit of a workspace, and how it came. */
export type CommitKey = { readonly workspaceId: string; readonly commitId: string; readonly kind: string };

/** Reserves the run of a commit. Returns false if the commit has one. */
export async function reserveRun(
  tx: Transaction,
  key: CommitKey,
  of: { readonly eventId: string; readonly pullNumber: number | null },
  now: number,
): Promise<boolean> {
  return (await tx.one(insertRunStatement, { ...key, ...of, runId: '', now })) !== undefined;
}

export function setRun(tx: Transaction, { workspaceId, commitId, kind }: CommitKey, runId: string) {
  return tx.run(setRunStatement, { workspaceId, commitId, kind, runId });
}

/** Gives a reserved run back. */
export function releaseRun(tx: Transaction, { workspaceId, commitId, kind }: CommitKey) {
  return tx.run(removeRunStatement, { workspaceId, commitId, kind });
}

/** Returns the workspaces of a repository in which a commit has a run. */
export async function workspacesWithRun(
  db: Queries,
  of: { readonly repositoryId: string; readonly commitId: string; readonly kind: string },
): Promise<Set<string>> {
  return new Set((await db.all(selectRan, of)).map(({ workspaceId }) => workspaceId));
}

export function pullRunsOf(db: Queries, repositoryId: string, pullNumber: number): Promise<PullRun[]> {
  return db.all(selectPullRuns, { repositoryId, pullNumber });
}

/** Returns the last commit of a branch that ran in a workspace. */
export async function lastCommitOf(db: Queries, workspaceId: string): Promise<string | undefined> {
  return (await db.one(selectLastRun, { workspaceId }))?.commitId;
}

/** Deletes some old events with their verdicts. Returns how many. */
export function removeOldEvents(db: Queries, before: number, step: number) {
  return db.run(removeOld, { before, step });
}
