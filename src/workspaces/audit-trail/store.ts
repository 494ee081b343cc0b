import { type Database, type Queries, sql, type Transaction } from '../../storage/index.ts';
import type { Page, Slice } from '../jsonapi/pagination.ts';

/** `Client`: somebody with a token; `System`: who carries out runs. */
export type AuthType = 'Client' | 'System';

/** Something that was done, as it is stored. */
export interface TrailEvent {
  /** A UUID. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly happenedAt: number;
  /** Who did it: the id of a user, a team or an agent; of a machine, the accessor of its token. */
  readonly accessorId: string;
  /** What they were called then. */
  readonly description: string;
  readonly authType: AuthType;
  /** As in the header of the answer, the log and the audit record. */
  readonly requestId: string;
  readonly resourceId: string;
  readonly resourceType: string;
  readonly action: string;
  readonly meta: EventMeta | null;
}

/** What an event says besides: ids, by what they are of. */
export type EventMeta = Readonly<Record<string, string | readonly string[] | undefined>>;

/** One that is not stored yet. A description that is null is the name of whoever has that id. */
export type NewEvent = Omit<TrailEvent, 'description'> & {
  readonly organizationId: string;
  readonly description: string | null;
};

/** @limit events of audit trails that are stored together, events -> the rest is stored next */
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
// Of an organization that is gone, or going, nothing is kept.
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
 * Stores them, at most MOST_TOGETHER, in order. Of an organization they are later than all that were there: whoever has read up to a
 * time and asks for what came after it misses nothing, whichever node it comes from.
 */
export async function addEvents(tx: Transaction, events: readonly NewEvent[]): Promise<void> {
  const nameless = new Set(events.flatMap(({ accessorId, description }) => (description === null ? accessorId : [])));
  const named = await Promise.all([...nameless].map(async (id) => [id, await tx.one(selectName, { id })] as const));
  const names = new Map(named.map(([id, row]) => [id, row?.name ?? id]));
  const byOrganization = [...Map.groupBy(events, ({ organizationId }) => organizationId)];
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

function placedAfter(events: readonly NewEvent[], last: number, names: ReadonlyMap<string, string>): TrailEvent[] {
  let time = last + 1;
  return events.map(({ organizationId: _, ...event }) => {
    time = Math.max(time, event.happenedAt);
    const description = event.description ?? names.get(event.accessorId) ?? event.accessorId;
    return { ...event, description, happenedAt: time };
  });
}

/**
 * The page, newest first, of what is later than `since` in an organization. Since numbers have no gaps, it takes no longer the more
 * there are.
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

/** Of a row, those with these numbers. */
function eventsOf({ firstNumber, events }: Row, first = firstNumber, last = Number.MAX_SAFE_INTEGER): TrailEvent[] {
  const all: TrailEvent[] = JSON.parse(events);
  return all.slice(Math.max(0, first - firstNumber), last - firstNumber + 1);
}

/** The organization after that one in the order of ids of which there is anything; undefined behind the last. */
export async function nextOrganization(db: Queries, after: string): Promise<string | undefined> {
  return (await db.one(selectNext, { after }))?.id ?? undefined;
}

/** What is kept of a trail: what is later than a time (milliseconds since 1970), and no more than so many events. */
export interface Kept {
  readonly since: number;
  readonly most: number;
}

/** Removes the oldest rows that are not kept, as many as `limit`. True when there may be more of them. */
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
