import { type Queries, sql, type Transaction } from '../../../storage/index.ts';

/** Rows of one unit of work: few enough that nobody waits for long. A workspace takes many others along. */
const BATCH = 100;
const WORKSPACES = 20;

type Batch = { organizationId: string; batch: number };

const selectWorkspaces = sql<Batch, { id: string }>(
  'SELECT id FROM workspace WHERE organization_id = :organizationId ORDER BY name LIMIT :batch',
);
const removeWorkspace = sql<{ id: string }>('DELETE FROM workspace WHERE id = :id');

/**
 * What belongs to an organization beside workspaces and can be much, the leaves first. What hangs on such a row goes with it; the rest
 * goes with the organization itself.
 */
const BATCHES = [
  ...['tag', 'variable_set', 'project'].map(inBatches),
  // An account that waits for nothing but this organization.
  sql<Batch>(
    `DELETE FROM account WHERE id IN (
       SELECT a.id FROM organization_membership m JOIN account a ON a.id = m.account_id
       WHERE m.organization_id = :organizationId AND a.invited = 1 AND NOT EXISTS (
         SELECT 1 FROM organization_membership x WHERE x.account_id = a.id AND x.organization_id <> :organizationId)
       LIMIT :batch)`,
  ),
  ...['organization_membership', 'team'].map(inBatches),
  sql<Batch>(
    `DELETE FROM audit_trail WHERE organization_id = :organizationId AND last_number IN (
       SELECT last_number FROM audit_trail WHERE organization_id = :organizationId ORDER BY last_number LIMIT :batch)`,
  ),
];

function inBatches(table: string) {
  return sql<Batch>(
    `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE organization_id = :organizationId LIMIT :batch)`,
  );
}

const markDeleted = sql<{ id: string; name: string; now: number }, { id: string }>(
  'UPDATE organization SET name = :name, deleted_at = :now WHERE id = :id AND deleted_at IS NULL RETURNING id',
);
const selectDeleted = sql<Record<string, never>, { id: string }>(
  'SELECT id FROM organization WHERE deleted_at IS NOT NULL ORDER BY deleted_at',
);
const removeServiceAccount = sql<{ id: string }>(
  'DELETE FROM account WHERE service = 1 AND id = (SELECT service_account_id FROM organization WHERE id = :id)',
);
const removeOrganizationStatement = sql<{ id: string }>('DELETE FROM organization WHERE id = :id');

/** From now on nobody reaches it, and its name is free: the new one breaks the rule. Undefined when it was so already. */
export function markRemoved(db: Queries, id: string, now: number) {
  return db.one(markDeleted, { id, name: `${id} (deleted)`, now });
}

/** Those that are being removed, or were when the program ended. */
export function listRemoved(db: Queries) {
  return db.all(selectDeleted, {});
}

/** The next workspaces to go. */
export async function workspacesOfRemoved(db: Queries, organizationId: string): Promise<string[]> {
  return (await db.all(selectWorkspaces, { organizationId, batch: WORKSPACES })).map(({ id }) => id);
}

/** With all rows that refer to them. */
export async function removeWorkspaces(tx: Transaction, ids: readonly string[]): Promise<void> {
  for (const id of ids) await tx.run(removeWorkspace, { id });
}

/** Removes a batch of what else belongs to it. False once there is nothing left. */
export async function removeBatch(tx: Transaction, organizationId: string): Promise<boolean> {
  for (const statement of BATCHES) {
    if ((await tx.run(statement, { organizationId, batch: BATCH })) > 0) return true;
  }
  return false;
}

/** With what is left of it. */
export async function removeOrganization(tx: Transaction, id: string): Promise<void> {
  await tx.run(removeServiceAccount, { id });
  await tx.run(removeOrganizationStatement, { id });
}
