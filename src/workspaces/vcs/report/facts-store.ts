import { type Queries, sql } from '../../../storage/index.ts';
import { fragment, isOneOf, select } from '../../query/dynamic.ts';
import { NOT_DELETED } from '../../workspace/index.ts';
import type { ReportedEvent } from './facts.ts';

/** Repository of a report. */
export interface ReportPlace {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly connectionId: string;
  readonly providerId: string;
  readonly identifier: string;
  readonly httpUrl: string;
  readonly defaultBranch: string | null;
  /** Number of earlier connections of the organization to the same repository. */
  readonly earlier: number;
}

const selectPlace = sql<{ id: string }, ReportPlace>(
  `SELECT r.id, r.organization_id AS "organizationId", o.name AS "organizationName", r.connection_id AS "connectionId",
     r.provider_id AS "providerId", r.identifier, r.http_url AS "httpUrl", r.default_branch AS "defaultBranch",
     (SELECT count(*) FROM vcs_repository x WHERE x.organization_id = r.organization_id
        AND x.identifier = r.identifier AND x.http_url = r.http_url AND x.id < r.id) AS earlier
   FROM vcs_repository r JOIN organization o ON o.id = r.organization_id WHERE r.id = :id`,
);

type EventRow = Omit<ReportedEvent, 'pull'> & { readonly details: string; readonly commitId: string | null };

const EVENT_COLUMNS = 'id, kind, ref, state, details, created_at AS "createdAt", after_id AS "commitId"';
const selectEvents = sql<{ repositoryId: string; commitId: string; most: number }, EventRow>(
  `SELECT ${EVENT_COLUMNS} FROM vcs_event WHERE repository_id = :repositoryId AND after_id = :commitId
   ORDER BY id DESC LIMIT :most`,
);
const selectEvent = sql<{ id: string }, EventRow>(`SELECT ${EVENT_COLUMNS} FROM vcs_event WHERE id = :id`);
const selectBranches = sql<{ repositoryId: string }, { branch: string | null }>(
  'SELECT DISTINCT branch FROM vcs_workspace WHERE repository_id = :repositoryId',
);

/** @limit events of one commit that a report counts, events -> older ones are left out */
const MAX_EVENTS = 20;
/** @limit verdicts of one commit that a report counts, verdicts -> the others are left out */
const MAX_VERDICTS = 5_000;

/** An event with its commit. */
export interface CommitEvent extends ReportedEvent {
  readonly commitId: string | null;
}

/** A verdict with what reports need of its workspace. */
export interface VerdictRow {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly runId: string | null;
  readonly code: string | null;
  /** 1 if the workspace follows the repository. */
  readonly isLinked: number;
  /** Branch that it follows; null for the default branch. */
  readonly branch: string | null;
}

/** Finds the repository of a report. Returns undefined if it was removed. */
export function findPlace(db: Queries, repositoryId: string): Promise<ReportPlace | undefined> {
  return db.one(selectPlace, { id: repositoryId });
}

/** Returns the events of a commit, newest first. */
export async function eventsOf(db: Queries, repositoryId: string, commitId: string): Promise<CommitEvent[]> {
  return (await db.all(selectEvents, { repositoryId, commitId, most: MAX_EVENTS })).map(eventOf);
}

export async function findEventOf(db: Queries, id: string): Promise<CommitEvent | undefined> {
  const row = await db.one(selectEvent, { id });
  return row && eventOf(row);
}

function eventOf({ details, ...event }: EventRow): CommitEvent {
  return { ...event, pull: (JSON.parse(details) as Pick<ReportedEvent, 'pull'>).pull };
}

/** Returns the branches that workspaces follow in a repository; null for its default branch. */
export async function followedBranches(db: Queries, repositoryId: string): Promise<(string | null)[]> {
  return (await db.all(selectBranches, { repositoryId })).map(({ branch }) => branch);
}

/** Returns the verdicts of some events, by workspace. */
export function verdictsOf(db: Queries, repositoryId: string, eventIds: readonly string[]): Promise<VerdictRow[]> {
  const code = fragment.raw(db.dialect === 'sqlite' ? "json_extract(v.detail, '$.code')" : "v.detail::json ->> 'code'");
  return select(
    db,
    fragment<VerdictRow>`select v.workspace_id as "workspaceId", w.name as "workspaceName", v.run_id as "runId",
        case when v.run_id is null then ${code} end as code,
        case when l.workspace_id is null then 0 else 1 end as "isLinked", l.branch
      from vcs_verdict v join workspace w on w.id = v.workspace_id and ${fragment.raw(NOT_DELETED)}
      left join vcs_workspace l on l.workspace_id = v.workspace_id and l.repository_id = ${repositoryId}
      where ${isOneOf('v.event_id', eventIds)} order by v.workspace_id, v.event_id limit ${MAX_VERDICTS}`,
  );
}
