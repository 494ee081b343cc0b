import type { Queries } from '../../../storage/index.ts';
import { type Fragment, fragment, select } from '../../query/dynamic.ts';
import * as order from './turn-order.ts';

/** @limit organizations whose due work of one kind a sweep looks at, organizations -> the next sweep looks at the others */
const MAX_ORGANIZATIONS = 100;

/** A table with work of organizations. It needs triggers (migrations/schedules.ts) and an index. */
export interface Work {
  readonly turns: order.TurnStatements;
  /** Columns of a row, in SQL. */
  readonly columns: string;
  /** Sort key within an organization, in SQL. Its first column is the time. */
  readonly orderBy: string;
  /** Condition of a row besides its time. Default: none. @param now milliseconds since 1970 */
  readonly where?: (now: number) => Fragment;
  /** Returns the organizations that can take no more work now. Default: none. */
  readonly full?: (db: Queries, organizationIds: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Condition of the rows that such an organization can take, in SQL. Default: none. */
  readonly whenFull?: string;
}

/**
 * Returns some rows that are due (round-robin scheduling): each organization has the same share, and gets more only if
 * the others need less. Organizations that were served longest ago come first, so that the number of organizations does
 * not change the cost, and one with much work does not delay the others. The first rows of all organizations come
 * first.
 * @param limit maximum number of rows
 */
export async function workInTurn<Row>(db: Queries, work: Work, now: number, limit: number): Promise<Row[]> {
  const ids = await order.organizationsInTurn(db, work.turns, now, Math.min(MAX_ORGANIZATIONS, limit));
  if (ids.length === 0) return [];
  const full = (await work.full?.(db, ids)) ?? new Set<string>();
  const fetch = (organizations: readonly string[], most: number) =>
    dueRows<Row>(db, work, { ids: organizations, full, now, most });
  const share = Math.floor(limit / ids.length);
  const rows = await fetch(ids, share);
  const found = [...rows.values()].reduce((sum, list) => sum + list.length, 0);
  const hungry = [...rows].filter(([, list]) => list.length === share).map(([id]) => id);
  const more = hungry.length === 0 ? 0 : Math.floor((limit - found) / hungry.length);
  if (more > 0) for (const [id, list] of await fetch(hungry, share + more)) rows.set(id, list);
  await order.endTurns(db, work.turns, ids, now);
  return alternating([...rows.values()]);
}

interface Asked {
  readonly ids: readonly string[];
  readonly full: ReadonlySet<string>;
  readonly now: number;
  /** Maximum number of rows of one organization. */
  readonly most: number;
}

/** Returns the first due rows of each organization, by its id. */
async function dueRows<Row>(
  db: Queries,
  { turns: { table, at }, columns, orderBy, where, whenFull }: Work,
  { ids, full, now, most }: Asked,
): Promise<Map<string, Row[]>> {
  const asked = whenFull === undefined ? ids.filter((id) => !full.has(id)) : ids;
  const rows = new Map<string, Row[]>();
  if (asked.length === 0) return rows;
  const part = (id: string, index: number): Fragment => {
    const onlySome = whenFull !== undefined && full.has(id) ? fragment.raw(`and (${whenFull})`) : fragment``;
    const condition = where === undefined ? fragment`` : fragment`and ${where(now)}`;
    return fragment`select * from (select organization_id as "organizationId", ${fragment.raw(columns)}
      from ${fragment.raw(table)} where organization_id = ${id} and ${fragment.raw(at)} is not null
        and ${fragment.raw(at)} <= ${now} ${condition} ${onlySome}
      order by ${fragment.raw(orderBy)} limit ${most}) ${fragment.raw(`part_${index}`)}`;
  };
  const query = fragment<Row & { organizationId: string }>`${fragment.join(asked.map(part), fragment` union all `)}`;
  for (const row of await select(db, query)) {
    rows.set(row.organizationId, [...(rows.get(row.organizationId) ?? []), row]);
  }
  return rows;
}

/** Returns the first items of all lists, then the second ones, and so on. */
function alternating<Item>(lists: readonly (readonly Item[])[]): Item[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list.slice(index, index + 1))).flat();
}
