import { type Queries, sql } from '../../../../storage/index.ts';
import type { Identifier } from '../../../jsonapi/document.ts';
import { fragment, isOneOf, select } from '../../../query/dynamic.ts';

/** One event in the history of a run. */
export interface RunEvent {
  readonly id: string;
  readonly runId: string;
  /** The new status of the run, `created` or `commented`. */
  readonly action: string;
  /** Actor of the event; null if the server acted by itself. */
  readonly actor: Identifier | null;
  readonly commentId: string | null;
  /** Reason of an action of the server; null if the action needs no explanation. */
  readonly description: string | null;
  readonly createdAt: number;
}

/** A comment on a run. */
export interface RunComment {
  readonly id: string;
  readonly runId: string;
  readonly body: string;
  readonly createdBy: Identifier;
  readonly createdAt: number;
}

interface EventRow extends Omit<RunEvent, 'actor'> {
  readonly actorType: string | null;
  readonly actorId: string | null;
}
interface CommentRow extends Omit<RunComment, 'createdBy'> {
  readonly createdByType: string;
  readonly createdById: string;
}

const EVENT = `id, run_id AS "runId", action, actor_type AS "actorType", actor_id AS "actorId",
  comment_id AS "commentId", description, created_at AS "createdAt"`;
const COMMENT = `id, run_id AS "runId", body, created_by_type AS "createdByType", created_by_id AS "createdById",
  created_at AS "createdAt"`;

const insertEvent = sql<Record<keyof EventRow, EventRow[keyof EventRow]>>(
  `INSERT INTO run_event (id, run_id, number, action, actor_type, actor_id, comment_id, description,
     created_at)
   VALUES (:id, :runId, (SELECT coalesce(max(number), 0) + 1 FROM run_event WHERE run_id = :runId), :action,
     :actorType, :actorId, :commentId, :description, :createdAt)`,
);
const selectEvent = sql<{ id: string }, EventRow>(`SELECT ${EVENT} FROM run_event WHERE id = :id`);
const selectEvents = sql<{ runId: string }, EventRow>(
  `SELECT ${EVENT} FROM run_event WHERE run_id = :runId ORDER BY number`,
);
const insertComment = sql<Record<keyof CommentRow, CommentRow[keyof CommentRow]> & { most: number }, { id: string }>(
  `INSERT INTO run_comment (id, run_id, body, created_by_type, created_by_id, created_at)
   SELECT :id, :runId, :body, :createdByType, :createdById, :createdAt
   WHERE (SELECT count(*) FROM run_comment WHERE run_id = :runId) < :most RETURNING id`,
);
const selectComment = sql<{ id: string }, CommentRow>(`SELECT ${COMMENT} FROM run_comment WHERE id = :id`);
const selectComments = sql<{ runId: string }, CommentRow>(
  `SELECT ${COMMENT} FROM run_comment WHERE run_id = :runId ORDER BY created_at, id`,
);

function eventOf({ actorType, actorId, ...row }: EventRow): RunEvent {
  return { ...row, actor: actorType === null || actorId === null ? null : { type: actorType, id: actorId } };
}

function commentOf({ createdByType: type, createdById: id, ...row }: CommentRow): RunComment {
  return { ...row, createdBy: { type, id } };
}

export function addEvent(db: Queries, { actor, ...event }: RunEvent) {
  return db.run(insertEvent, { ...event, actorType: actor?.type ?? null, actorId: actor?.id ?? null });
}

export async function eventById(db: Queries, id: string): Promise<RunEvent | undefined> {
  const row = await db.one(selectEvent, { id });
  return row && eventOf(row);
}

/** Returns the events in the order in which they happened. */
export async function eventsOf(db: Queries, runId: string): Promise<RunEvent[]> {
  return (await db.all(selectEvents, { runId })).map(eventOf);
}

/** Adds a comment. Returns false if the run already has `most` comments. */
export async function addComment(db: Queries, { createdBy, ...comment }: RunComment, most: number): Promise<boolean> {
  const by = { createdByType: createdBy.type, createdById: createdBy.id };
  return (await db.one(insertComment, { ...comment, ...by, most })) !== undefined;
}

export async function commentById(db: Queries, id: string): Promise<RunComment | undefined> {
  const row = await db.one(selectComment, { id });
  return row && commentOf(row);
}

/** Returns the comments, oldest first. */
export async function commentsOf(db: Queries, runId: string): Promise<RunComment[]> {
  return (await db.all(selectComments, { runId })).map(commentOf);
}

/** Returns the names of users, teams and agents by their ids. Deleted ones are missing. */
export async function userNames(db: Queries, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await select(
    db,
    fragment<{ id: string; name: string }>`
      select id, username as name from account where ${isOneOf('id', ids)}
      union all select id, name from team where ${isOneOf('id', ids)}
      union all select id, name from agent where ${isOneOf('id', ids)}`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Ids of the events and comments of a run. */
export interface Pointers {
  readonly events: readonly string[];
  readonly comments: readonly string[];
}

/** Returns the event and comment ids of these runs, by run id. */
export async function pointersOf(db: Queries, runIds: readonly string[]): Promise<ReadonlyMap<string, Pointers>> {
  if (runIds.length === 0) return new Map();
  const rows = await select(
    db,
    fragment<{ id: string; runId: string; kind: string }>`
      select id, run_id as "runId", 'event' as kind, number as place from run_event where ${isOneOf('run_id', runIds)}
      union all
      select id, run_id, 'comment', created_at from run_comment where ${isOneOf('run_id', runIds)}
      order by place, id`,
  );
  const byRun = Map.groupBy(rows, ({ runId }) => runId);
  const idsOf = (runId: string, kind: string) =>
    (byRun.get(runId) ?? []).filter((row) => row.kind === kind).map(({ id }) => id);
  return new Map(runIds.map((id) => [id, { events: idsOf(id, 'event'), comments: idsOf(id, 'comment') }]));
}
