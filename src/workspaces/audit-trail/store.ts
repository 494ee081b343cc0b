import { type Database, type Queries, sql, type Transaction } from '../../storage/index.ts';
import type { Page, Slice } from '../jsonapi/pagination.ts';

/** `Client`: a caller with a token; `System`: an agent that executes runs. */
export type AuthType = 'Client' | 'System';

/** A stored event. */
export interface TrailEvent {
  /** A UUID. */
  readonly id: string;
  /** Time of the event, in milliseconds since 1970. */
  readonly happenedAt: number;
  /** Actor: the id of a user, a team or an agent; for a machine, the accessor of its token. */
  readonly accessorId: string;
  /** Name of the actor at that time. */
  readonly description: string;
  readonly authType: AuthType;
  /** Request id, as in the response's header, the log and the audit log. */
  readonly requestId: string;
  readonly resourceId: string;
  readonly resourceType: string;
  readonly action: string;
  readonly meta: EventMeta | null;
}

/** Details of the event: ids by their type. */
export type EventMeta = Readonly<Record<string, string | readonly string[] | undefined>>;

/** An event before it is stored. If the description is null, the name is looked up by the actor's id. */
export type NewEvent = Omit<TrailEvent, 'description'> & {
  readonly organizationId: string;
  readonly description: string | null;
};

/** @limit events of audit trails that one transaction stores, events -> the next transaction stores the rest */
export const MOST_TOGETHER = 200;

interface Place {
  readonly number: number;
  readonly happenedAt: number;
}

type Row = {
  readonly firstNumber: number;
  readonly lastNumber: number;
  /** JSON of events, in order. */
  readonly events: string;
};

const COLUMNS = 'first_number AS "firstNumber", last_number AS "lastNumber", events';

const selectName = sql<{ id: string }, { name: string | null }>(
  `SELECT COALESCE((SELECT t.name FROM team t WHERE t.id = :id), (SELECT a.username FROM account a WHERE a.id = :id),
     (SELECT g.name FROM agent g WHERE g.id = :id)) AS name`,
);
const selectLast = sql<{ organizationId: string }, Place>(
  `SELECT last_number AS number, happened_at AS "happenedAt" FROM audit_trail
   WHERE organization_id = :organizationId ORDER BY last_number DESC LIMIT 1`,
);
const selectStored = sql<{ organizationId: string; since: number; withId: string }, { number: number }>(
  `SELECT last_number AS number FROM audit_trail
   WHERE organization_id = :organizationId AND happened_at >= :since AND events LIKE :withId LIMIT 1`,
);
// Nothing is stored for an organization that is deleted or being deleted.
const insert = sql<Row & { organizationId: string; happenedAt: number }>(
  `INSERT INTO audit_trail (organization_id, last_number, first_number, happened_at, events)
   SELECT o.id, :lastNumber, :firstNumber, :happenedAt, :events
   FROM organization o WHERE o.id = :organizationId AND o.deleted_at IS NULL`,
);
const selectLater = sql<{ organizationId: string; since: number }, Row>(
  `SELECT ${COLUMNS} FROM audit_trail WHERE organization_id = :organizationId AND happened_at > :since
   ORDER BY happened_at, last_number LIMIT 1`,
);
const selectRange = sql<{ organizationId: string; first: number; last: number; farthest: number }, Row>(
  `SELECT ${COLUMNS} FROM audit_trail WHERE organization_id = :organizationId
     AND last_number BETWEEN :first AND :farthest AND first_number <= :last ORDER BY last_number DESC`,
);
const selectNext = sql<{ after: string }, { id: string | null }>(
  'SELECT min(organization_id) AS id FROM audit_trail WHERE organization_id > :after',
);
const deleteOld = sql<{ organizationId: string; until: number; limit: number }>(
  `DELETE FROM audit_trail WHERE organization_id = :organizationId AND last_number IN (
     SELECT last_number FROM audit_trail WHERE organization_id = :organizationId AND happened_at <= :until
     ORDER BY happened_at, last_number LIMIT :limit)`,
);
const deleteFirst = sql<{ organizationId: string; until: number; limit: number }>(
  `DELETE FROM audit_trail WHERE organization_id = :organizationId AND last_number IN (
     SELECT last_number FROM audit_trail WHERE organization_id = :organizationId AND last_number <= :until
     ORDER BY last_number LIMIT :limit)`,
);

/**
 * Stores at most MOST_TOGETHER events in order (group commit). An organization's events are always later than its
 * stored ones. A client that polls with a time thus misses nothing, whichever node an event comes from.
 * @param mayBeStored whether an earlier transaction with exactly these events may have stored them
 */
export async function addEvents(tx: Transaction, events: readonly NewEvent[], mayBeStored: boolean): Promise<void> {
  const nameless = new Set(events.flatMap(({ accessorId, description }) => (description === null ? accessorId : [])));
  const named = await Promise.all([...nameless].map(async (id) => [id, await tx.one(selectName, { id })] as const));
  const names = new Map(named.map(([id, row]) => [id, row?.name ?? id]));
  const groups = [...Map.groupBy(events, ({ organizationId }) => organizationId)];
  const isStored = await Promise.all(groups.map(([, own]) => mayBeStored && areStored(tx, own)));
  const byOrganization = groups.filter((_, index) => !isStored[index]);
  const lasts = await Promise.all(byOrganization.map(([organizationId]) => tx.one(selectLast, { organizationId })));
  const stored = byOrganization.map(([organizationId, own], index) => {
    const firstNumber = (lasts[index]?.number ?? 0) + 1;
    const placed = placedAfter(own, lasts[index]?.happenedAt ?? -1, names);
    const happenedAt = placed.at(-1)?.happenedAt ?? 0;
    const row = {
      firstNumber,
      lastNumber: firstNumber + placed.length - 1,
      happenedAt,
      events: JSON.stringify(placed),
    };
    return tx.run(insert, { organizationId, ...row });
  });
  await Promise.all(stored);
}

/** Returns whether the events of an organization are stored. They share a row, so one of them shows it. */
async function areStored(tx: Transaction, [first]: readonly NewEvent[]): Promise<boolean> {
  if (first === undefined) return true;
  const { organizationId, happenedAt: since, id } = first;
  return (await tx.one(selectStored, { organizationId, since, withId: `%"${id}"%` })) !== undefined;
}

function placedAfter(events: readonly NewEvent[], last: number, names: ReadonlyMap<string, string>): TrailEvent[] {
  let time = last + 1;
  return events.map(({ organizationId: _, ...event }) => {
    time = Math.max(time, event.happenedAt);
    const description = event.description ?? names.get(event.accessorId) ?? event.accessorId;
    return { ...event, description, happenedAt: time };
  });
}

/**
 * Returns a page of the events after `since` in an organization, newest first. The numbers have no gaps, so the time
 * does not grow with the number of events.
 */
export async function listEvents(
  db: Database,
  organizationId: string,
  since: number,
  page: Page,
): Promise<Slice<TrailEvent>> {
  const later = await db.one(selectLater, { organizationId, since });
  const newest = await db.one(selectLast, { organizationId });
  if (later === undefined || newest === undefined) return { items: [], total: 0 };
  const begin = later.firstNumber + eventsOf(later).findIndex(({ happenedAt }) => happenedAt > since);
  const last = newest.number - page.offset;
  const first = Math.max(begin, last - page.size + 1);
  const range = { organizationId, first, last, farthest: last + MOST_TOGETHER };
  const rows = last < begin ? [] : await db.all(selectRange, range);
  const items = rows.flatMap((row) => eventsOf(row, first, last).toReversed());
  return { items, total: newest.number - begin + 1 };
}

/** Returns the events of a row with these numbers. */
function eventsOf({ firstNumber, events }: Row, first = firstNumber, last = Number.MAX_SAFE_INTEGER): TrailEvent[] {
  const all: TrailEvent[] = JSON.parse(events);
  return all.slice(Math.max(0, first - firstNumber), last - firstNumber + 1);
}

/** Returns the next organization in the order of ids that has events; undefined after the last. */
export async function nextOrganization(db: Queries, after: string): Promise<string | undefined> {
  return (await db.one(selectNext, { after }))?.id ?? undefined;
}

/**
 * Retention limits of a trail: the time (milliseconds since 1970) before which events are deleted, and the maximum
 * number of events.
 */
export interface Kept {
  readonly since: number;
  readonly most: number;
}

/** Deletes the oldest expired rows, at most `limit`. Returns whether there may be more. */
export async function removeOldEvents(
  db: Queries,
  organizationId: string,
  { since, most }: Kept,
  limit: number,
): Promise<boolean> {
  const newest = await db.one(selectLast, { organizationId });
  const tooOld = await db.run(deleteOld, { organizationId, until: since, limit });
  const tooMany = await db.run(deleteFirst, { organizationId, until: (newest?.number ?? 0) - most, limit });
  return tooOld >= limit || tooMany >= limit;
}
