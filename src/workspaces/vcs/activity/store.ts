import { type Queries, sql } from '../../../storage/index.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { type Fragment, fragment, isOneOf, select, selectSlice } from '../../query/dynamic.ts';
import type { EventDetails, EventState } from '../event/event.ts';
import type { Verdict } from '../verdict/decide.ts';

/** An event with its repository and the number of its verdicts. */
export interface ShownEvent {
  readonly id: string;
  readonly organizationId: string;
  readonly repositoryId: string;
  readonly identifier: string;
  readonly connectionId: string;
  /** Null for an installation of a GitHub App. */
  readonly oauthClientId: string | null;
  readonly kind: 'push' | 'tag' | 'pull';
  readonly ref: string;
  readonly beforeId: string | null;
  readonly afterId: string | null;
  readonly details: EventDetails;
  readonly state: EventState;
  readonly problem: string | null;
  readonly createdAt: number;
  /** Reason why the provider does not show the results. */
  readonly reportProblem: string | null;
  readonly runs: number;
  readonly verdicts: number;
}

/** An event with the verdict of one workspace. */
export interface JudgedEvent extends ShownEvent {
  readonly verdict: Verdict;
  readonly runId: string | null;
}

type EventRow = Omit<ShownEvent, 'details'> & { readonly details: string };
type JudgedRow = EventRow & Pick<JudgedEvent, 'runId'> & { readonly detail: string };
type VerdictRow = Omit<StoredVerdict, 'verdict'> & { readonly detail: string };

/** Filter of a list of events. Times are milliseconds since 1970. */
export interface EventFilter {
  readonly from: number;
  readonly to: number;
  readonly oauthClientIds: readonly string[] | undefined;
  readonly levels: readonly string[] | undefined;
}

const COLUMNS = `e.id, e.organization_id AS "organizationId", e.repository_id AS "repositoryId",
  r.display_identifier AS identifier, r.connection_id AS "connectionId", t.oauth_client_id AS "oauthClientId", e.kind,
  e.ref, e.before_id AS "beforeId", e.after_id AS "afterId", e.details, e.state, e.problem,
  e.created_at AS "createdAt",
  (SELECT p.problem FROM vcs_report p WHERE p.repository_id = e.repository_id AND p.problem IS NOT NULL
     AND (p.kind = 'commit' AND p.subject = e.after_id OR p.kind = 'pull' AND p.event_id = e.id)
   ORDER BY p.kind LIMIT 1) AS "reportProblem",
  (SELECT count(*) FROM vcs_verdict x WHERE x.event_id = e.id AND x.run_id IS NOT NULL) AS runs,
  (SELECT count(*) FROM vcs_verdict x WHERE x.event_id = e.id) AS verdicts`;
const FROM = `vcs_event e JOIN vcs_repository r ON r.id = e.repository_id
  LEFT JOIN oauth_token t ON t.id = r.connection_id`;

const selectEvent = sql<{ id: string }, EventRow>(`SELECT ${COLUMNS} FROM ${FROM} WHERE e.id = :id`);
const selectJudged = sql<{ eventId: string; most: number }, Pick<StoredVerdict, 'workspaceId' | 'runId'>>(
  `SELECT workspace_id AS "workspaceId", run_id AS "runId" FROM vcs_verdict WHERE event_id = :eventId LIMIT :most`,
);
const selectFollowers = sql<{ repositoryId: string; most: number }, { workspaceId: string }>(
  `SELECT workspace_id AS "workspaceId" FROM vcs_workspace WHERE repository_id = :repositoryId LIMIT :most`,
);
const selectLink = sql<{ workspaceId: string }, ShownLink>(
  `SELECT w.problem, w.repository_id AS "repositoryId",
     CASE WHEN w.repository_id IS NULL THEN w.due_at ELSE r.due_at END AS "dueAt"
   FROM vcs_workspace w LEFT JOIN vcs_repository r ON r.id = w.repository_id WHERE w.workspace_id = :workspaceId`,
);

/** Verdict of one workspace about an event. */
export interface StoredVerdict {
  readonly workspaceId: string;
  readonly verdict: Verdict;
  readonly runId: string | null;
}

/** Link of a workspace to a repository. */
export interface ShownLink {
  /** Null until the repository is found. */
  readonly repositoryId: string | null;
  readonly problem: string | null;
  /** Time of the next look-up, milliseconds since 1970; null if none is planned. */
  readonly dueAt: number | null;
}

export async function findEvent(db: Queries, id: string): Promise<ShownEvent | undefined> {
  const row = await db.one(selectEvent, { id });
  return row && shown(row);
}

function shown(row: EventRow): ShownEvent {
  return { ...row, details: JSON.parse(row.details) as EventDetails };
}

/** Replaces the JSON of a verdict. */
function judged<T extends { readonly detail: string }>({ detail, ...row }: T) {
  return { ...row, verdict: JSON.parse(detail) as Verdict };
}

/** Returns the workspaces that have a verdict about an event, and their runs. */
export function judgedWorkspaces(db: Queries, eventId: string, most: number) {
  return db.all(selectJudged, { eventId, most });
}

/** Returns the ids of the workspaces that follow a repository. */
export async function followersOf(db: Queries, repositoryId: string, most: number): Promise<string[]> {
  return (await db.all(selectFollowers, { repositoryId, most })).map(({ workspaceId }) => workspaceId);
}

/** Returns the verdicts of some workspaces about an event. */
export async function findVerdicts(
  db: Queries,
  eventId: string,
  workspaces: readonly { readonly id: string }[],
): Promise<StoredVerdict[]> {
  if (workspaces.length === 0) return [];
  const ids = workspaces.map(({ id }) => id);
  const rows = await select(
    db,
    fragment<VerdictRow>`select workspace_id as "workspaceId", detail, run_id as "runId" from vcs_verdict
      where event_id = ${eventId} and ${isOneOf('workspace_id', ids)}`,
  );
  return rows.map(judged);
}

/** Returns the link of a workspace; undefined if it follows no repository. */
export function findShownLink(db: Queries, workspaceId: string): Promise<ShownLink | undefined> {
  return db.one(selectLink, { workspaceId });
}

/** Returns the events of an organization, newest first. */
export async function listEvents(
  db: Queries,
  organizationId: string,
  { from, to, oauthClientIds, levels }: EventFilter,
  page: Page,
): Promise<Slice<ShownEvent>> {
  const where: Fragment[] = [
    fragment`e.organization_id = ${organizationId}`,
    fragment`e.created_at >= ${from}`,
    fragment`e.created_at <= ${to}`,
  ];
  if (oauthClientIds !== undefined) where.push(isOneOf('t.oauth_client_id', oauthClientIds));
  if (levels !== undefined) {
    const isError = fragment`case when e.problem is null then 'info' else 'error' end`;
    where.push(levels.length === 0 ? fragment`1 = 0` : fragment`${isError} in (${fragment.join(levels)})`);
  }
  const query = { columns: COLUMNS, from: FROM, where, orderBy: 'e.created_at desc, e.id desc' };
  const { items, total } = await selectSlice<EventRow>(db, query, page);
  return { items: items.map(shown), total };
}

/** Returns the events of which a workspace has a verdict, newest first. */
export async function listJudged(db: Queries, workspaceId: string, page: Page): Promise<Slice<JudgedEvent>> {
  const query = {
    columns: `${COLUMNS}, v.detail, v.run_id AS "runId"`,
    from: `${FROM} JOIN vcs_verdict v ON v.event_id = e.id`,
    where: [fragment`v.workspace_id = ${workspaceId}`],
    orderBy: 'v.created_at desc, e.id desc',
  };
  const { items, total } = await selectSlice<JudgedRow>(db, query, page);
  return { items: items.map((row) => judged({ ...row, ...shown(row) })), total };
}
