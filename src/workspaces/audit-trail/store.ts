import { type Database, type Queries, sql, type Transaction } from '../../storage/index.ts';
import type { Page, Slice } from '../jsonapi/pagination.ts';

/** `Client`: somebody with a token; `System`: who carries out runs. */
export type AuthType = 'Client' | 'System';

/** Something that was done. */
export interface TrailEvent {
  /** A UUID. */
  readonly id: string;
  readonly organizationId: string;
  /** Milliseconds since 1970. */
  readonly happenedAt: number;
  /** Who did it: the id of a user, a team or an agent; of a machine, the accessor of its token. */
  readonly accessorId: string;
  readonly description: string;
  readonly authType: AuthType;
  /** As in the header of the answer, the log and the audit record. */
  readonly requestId: string;
  readonly resourceId: string;
  readonly resourceType: string;
  readonly action: string;
  /** JSON; null for nothing. */
  readonly meta: string | null;
}

/** One that is not stored yet. A description that is null is the name of whoever has that id. */
export type NewEvent = Omit<TrailEvent, 'description'> & { readonly description: string | null };

interface Place {
  readonly number: number;
  readonly happenedAt: number;
}

const NAMED = [
  'SELECT t.name FROM team t WHERE t.id = :accessorId',
  'SELECT a.username FROM account a WHERE a.id = :accessorId',
  'SELECT g.name FROM agent g WHERE g.id = :accessorId',
].map((query) => `(${query})`);

const selectLast = sql<{ organizationId: string }, Place>(
  `SELECT number, happened_at AS "happenedAt" FROM audit_trail_event
   WHERE organization_id = :organizationId ORDER BY number DESC LIMIT 1`,
);
// Of an organization that is gone, or going, nothing is kept.
const insert = sql<NewEvent & { number: number }>(
  `INSERT INTO audit_trail_event (organization_id, number, id, happened_at, accessor_id, description, auth_type, request_id,
     resource_id, resource_type, action, meta)
   SELECT o.id, :number, :id, :happenedAt, :accessorId, COALESCE(:description, ${NAMED.join(', ')}, :accessorId), :authType,
     :requestId, :resourceId, :resourceType, :action, :meta
   FROM organization o WHERE o.id = :organizationId AND o.deleted_at IS NULL`,
);
const selectBounds = sql<{ organizationId: string; since: number }, { first: number | null; last: number | null }>(
  `SELECT (SELECT number FROM audit_trail_event WHERE organization_id = :organizationId AND happened_at > :since
     ORDER BY happened_at, number LIMIT 1) AS first,
   (SELECT max(number) FROM audit_trail_event WHERE organization_id = :organizationId) AS last`,
);
const selectPage = sql<{ organizationId: string; first: number; last: number }, TrailEvent>(
  `SELECT id, organization_id AS "organizationId", happened_at AS "happenedAt", accessor_id AS "accessorId", description,
     auth_type AS "authType", request_id AS "requestId", resource_id AS "resourceId", resource_type AS "resourceType", action, meta
   FROM audit_trail_event WHERE organization_id = :organizationId AND number BETWEEN :first AND :last ORDER BY number DESC`,
);
const selectNext = sql<{ after: string }, { id: string | null }>(
  'SELECT min(organization_id) AS id FROM audit_trail_event WHERE organization_id > :after',
);
const deleteOld = sql<{ organizationId: string; until: number; limit: number }>(
  `DELETE FROM audit_trail_event WHERE organization_id = :organizationId AND number IN (
     SELECT number FROM audit_trail_event WHERE organization_id = :organizationId AND happened_at <= :until
     ORDER BY happened_at, number LIMIT :limit)`,
);

/**
 * Stores them in order. Of an organization they are later than all that were there: whoever has read up to a time and asks for
 * what came after it misses nothing, whichever node it comes from.
 */
export async function add(tx: Transaction, events: readonly NewEvent[]): Promise<void> {
  const byOrganization = [...Map.groupBy(events, ({ organizationId }) => organizationId)];
  const lasts = await Promise.all(byOrganization.map(([organizationId]) => tx.one(selectLast, { organizationId })));
  const placed = byOrganization.flatMap(([, own], index) => placedAfter(own, lasts[index]));
  await Promise.all(placed.map((event) => tx.run(insert, event)));
}

function placedAfter(events: readonly NewEvent[], last: Place | undefined): (NewEvent & Place)[] {
  let number = last?.number ?? 0;
  let time = last === undefined ? 0 : last.happenedAt + 1;
  return events.map((event) => {
    number += 1;
    time = Math.max(time, event.happenedAt);
    return { ...event, number, happenedAt: time };
  });
}

/**
 * The page, newest first, of what is later than `since` in an organization. Since numbers have no gaps, it takes no longer the more
 * there are.
 */
export async function pageOf(
  db: Database,
  organizationId: string,
  since: number,
  page: Page,
): Promise<Slice<TrailEvent>> {
  const { first, last } = (await db.one(selectBounds, { organizationId, since })) ?? { first: null, last: null };
  if (first === null || last === null) return { items: [], total: 0 };
  const end = last - page.offset;
  const range = { organizationId, first: Math.max(first, end - page.size + 1), last: end };
  return { items: end < first ? [] : await db.all(selectPage, range), total: last - first + 1 };
}

/** The organization after that one in the order of ids of which there is anything; undefined behind the last. */
export async function organizationAfter(db: Queries, after: string): Promise<string | undefined> {
  return (await db.one(selectNext, { after }))?.id ?? undefined;
}

/** Removes the oldest of those that happened until then. The number of rows. */
export function forget(db: Queries, organizationId: string, until: number, limit: number): Promise<number> {
  return db.run(deleteOld, { organizationId, until, limit });
}
