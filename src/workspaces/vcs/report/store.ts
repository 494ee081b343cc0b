import { prefixedId } from '../../../lib/ids.ts';
import { type Queries, sql, type Transaction } from '../../../storage/index.ts';
import { RowOutbox } from '../../delivery/index.ts';
import { fragment, isOneOf, select } from '../../query/dynamic.ts';

/** commit: statuses and checks of a commit. pull: the comment of a pull request. */
export type ReportKind = 'commit' | 'pull';

/** Claimed row of a report. Times are milliseconds since 1970. */
export interface ReportRow {
  readonly id: string;
  readonly repositoryId: string;
  readonly kind: ReportKind;
  /** Commit, or number of the pull request. */
  readonly subject: string;
  /** Newest event of the pull request that has a commit. */
  readonly eventId: string | null;
  /** 1 if the pull request is closed. */
  readonly closed: number;
  readonly marks: number;
  /** Time of the last update at the provider. */
  readonly sentAt: number | null;
}

/** A report that has something new. */
export interface Marked {
  readonly repositoryId: string;
  readonly kind: ReportKind;
  readonly subject: string;
}

const REPORTS = {
  table: 'vcs_report',
  columns: `id, repository_id AS "repositoryId", kind, subject, event_id AS "eventId", closed, marks,
    sent_at AS "sentAt"`,
} as const;

/** Queue of reports whose due time has come. */
export class ReportOutbox extends RowOutbox<ReportRow> {
  readonly #before: () => Promise<void>;

  /** @param before called before the queue looks for due reports */
  constructor(before: () => Promise<void>) {
    super(REPORTS);
    this.#before = before;
  }

  override async due(...given: Parameters<RowOutbox<ReportRow>['due']>) {
    await this.#before();
    return super.due(...given);
  }
}

const putReport = sql<
  Marked & { id: string; eventId: string | null; closed: number; now: number } & Record<string, string | number | null>
>(
  `INSERT INTO vcs_report (id, organization_id, repository_id, kind, subject, event_id, closed, changed_at, target, due_at)
   SELECT :id, r.organization_id, r.id, :kind, :subject, :eventId, CAST(:closed AS BIGINT), CAST(:now AS BIGINT),
     r.connection_id, CAST(:now AS BIGINT)
   FROM vcs_repository r WHERE r.id = :repositoryId
   ON CONFLICT (repository_id, kind, subject) DO UPDATE SET marks = vcs_report.marks + 1,
     event_id = COALESCE(excluded.event_id, vcs_report.event_id), closed = excluded.closed,
     changed_at = excluded.changed_at, due_at = excluded.due_at`,
);
// A report that is due already needs no mark, unless an attempt is under way that has read the results before.
const markStatement = sql<{ repositoryId: string; kind: string; subject: string; now: number }>(
  `UPDATE vcs_report SET marks = marks + 1, changed_at = CAST(:now AS BIGINT), due_at = CAST(:now AS BIGINT)
   WHERE repository_id = :repositoryId AND kind = :kind AND subject = :subject
     AND (due_at IS NULL OR due_at > :now OR claimed_until > :now)`,
);
const settleStatement = sql<{
  id: string;
  marks: number;
  isPostponed: number;
  now: number;
  dueAt: number | null;
  problem: string | null;
}>(
  `UPDATE vcs_report SET problem = :problem, due_at = CASE WHEN marks > :marks AND :isPostponed = 0
     THEN CAST(:now AS BIGINT) ELSE CAST(:dueAt AS BIGINT) END WHERE id = :id`,
);
const touch = sql<{ id: string; claim: string; now: number }, { id: string }>(
  'UPDATE vcs_report SET sent_at = CAST(:now AS BIGINT) WHERE id = :id AND claim = :claim RETURNING id',
);
const selectItems = sql<{ reportId: string }, StoredItem>(
  `SELECT kind, context, state, sent, provider_id AS "providerId" FROM vcs_report_item WHERE report_id = :reportId`,
);
const putItem = sql<{ readonly [Column in keyof StoredItem]: StoredItem[Column] } & { reportId: string; now: number }>(
  `INSERT INTO vcs_report_item (report_id, kind, context, state, sent, provider_id, sent_at)
   VALUES (:reportId, :kind, :context, :state, :sent, :providerId, :now)
   ON CONFLICT (report_id, kind, context) DO UPDATE SET state = :state, sent = :sent, provider_id = :providerId,
     sent_at = CAST(:now AS BIGINT)`,
);
const removeOld = sql<{ before: number; step: number }>(
  `DELETE FROM vcs_report WHERE id IN (SELECT id FROM vcs_report WHERE changed_at < :before AND due_at IS NULL
     ORDER BY changed_at LIMIT :step)`,
);

/** A status, check or comment that a provider shows, as the server last sent it. */
export interface StoredItem {
  readonly kind: 'status' | 'check' | 'comment';
  /** Name of the status or check; empty for a comment. */
  readonly context: string;
  readonly state: string;
  /** SHA-256 of what was sent; null while it is unknown whether the provider has created it. */
  readonly sent: string | null;
  /** The provider's id of the check or comment. */
  readonly providerId: string | null;
}

/** Makes a report due, and creates it if there is none. */
export function putMark(
  tx: Transaction,
  marked: Marked,
  { eventId, isClosed }: { readonly eventId: string | null; readonly isClosed: boolean },
  now: number,
) {
  return tx.run(putReport, { ...marked, id: prefixedId('vrp', now), eventId, closed: Number(isClosed), now });
}

/** Makes a report due, if there is one. */
export function markReport(tx: Transaction, { repositoryId, kind, subject }: Marked, now: number) {
  return tx.run(markStatement, { repositoryId, kind, subject, now });
}

/** Returns the reports for which these runs count. */
export async function reportsOfRuns(db: Queries, runIds: readonly string[]): Promise<Marked[]> {
  if (runIds.length === 0) return [];
  const rows = await select(
    db,
    fragment<{ repositoryId: string; commitId: string; pullNumber: number | null }>`
      select distinct e.repository_id as "repositoryId", r.commit_id as "commitId", r.pull_number as "pullNumber"
      from vcs_run r join vcs_event e on e.id = r.event_id where ${isOneOf('r.run_id', runIds)}`,
  );
  return rows.flatMap(({ repositoryId, commitId, pullNumber }): Marked[] => [
    { repositoryId, kind: 'commit', subject: commitId },
    ...(pullNumber === null ? [] : [{ repositoryId, kind: 'pull' as const, subject: String(pullNumber) }]),
  ]);
}

/** Sets the time of the next attempt. It is now if the report was marked since the row was read. */
export function settleReport(
  tx: Transaction,
  { id, marks }: Pick<ReportRow, 'id' | 'marks'>,
  given: { readonly isPostponed: boolean; readonly dueAt: number | null; readonly problem: string | null },
  now: number,
) {
  const { isPostponed, dueAt, problem } = given;
  return tx.run(settleStatement, { id, marks, isPostponed: Number(isPostponed), now, dueAt, problem });
}

export function itemsOf(db: Queries, reportId: string): Promise<StoredItem[]> {
  return db.all(selectItems, { reportId });
}

/** Stores what was sent. Returns false, and stores nothing, if the claim was lost. */
export async function storeItem(
  tx: Transaction,
  { id, claim }: { readonly id: string; readonly claim: string },
  item: StoredItem,
  now: number,
): Promise<boolean> {
  if ((await tx.one(touch, { id, claim, now })) === undefined) return false;
  await tx.run(putItem, { ...item, reportId: id, now });
  return true;
}

/** Deletes some reports that have not changed since a time. Returns how many. */
export function removeOldReports(db: Queries, before: number, step: number) {
  return db.run(removeOld, { before, step });
}
