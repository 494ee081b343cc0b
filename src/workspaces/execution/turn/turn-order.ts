import { type Queries, sql } from '../../../storage/index.ts';
import { allOfRows, type RowsStatement, sqlOfRows } from '../../query/rows.ts';

/** Time of an organization without work. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** Turns of organizations for the work of one table. */
export interface TurnStatements {
  readonly table: string;
  /** Column with the time at which a row is due. */
  readonly at: string;
  readonly end: RowsStatement<{ now: number }, never>;
}

const selectReady = sql<{ work: string; now: number; limit: number }, { id: string }>(
  `SELECT organization_id AS id FROM organization_turn WHERE work = :work AND due_at <= :now
   ORDER BY due_at, served_at, organization_id LIMIT :limit`,
);
// The clock was ahead when they were served, so their times may be wrong.
const selectAhead = sql<{ work: string; now: number; limit: number }, { id: string }>(
  `SELECT organization_id AS id FROM organization_turn WHERE work = :work AND served_at > :now
   ORDER BY served_at LIMIT :limit`,
);

/** Declares the statements of a table with the column `organization_id`. @param at column with the time */
export function turnsOf(table: string, at: string): TurnStatements {
  const ofOrganization = `FROM ${table} t WHERE t.organization_id = organization_turn.organization_id AND t.${at} IS NOT NULL`;
  const end = sqlOfRows<{ now: number }>(
    (rows) => `UPDATE organization_turn SET served_at = :now, due_at =
       CASE WHEN EXISTS (SELECT 1 ${ofOrganization} AND t.${at} <= :now) THEN :now
       ELSE COALESCE((SELECT t.${at} ${ofOrganization} ORDER BY t.${at} LIMIT 1), ${NEVER}) END
     WHERE work = '${table}' AND organization_id IN (SELECT r.value ->> 'id' FROM ${rows} r)`,
  );
  return { table, at, end };
}

/** Returns some organizations that have work which is due. The one that was served longest ago comes first. */
export async function organizationsInTurn(
  db: Queries,
  { table }: TurnStatements,
  now: number,
  limit: number,
): Promise<string[]> {
  const ready = await db.all(selectReady, { work: table, now, limit });
  const ahead = await db.all(selectAhead, { work: table, now, limit });
  return [...new Set([...ready, ...ahead].map(({ id }) => id))].slice(0, limit);
}

/**
 * Puts organizations behind all others that have work which is due. Work that was handed out counts until it is done, so
 * none is lost with a node.
 */
export async function endTurns(
  db: Queries,
  { end }: TurnStatements,
  organizationIds: readonly string[],
  now: number,
): Promise<void> {
  const rows = organizationIds.map((id) => ({ id }));
  await allOfRows(db, end, rows, { now });
}
