import { type Queries, sql, type Transaction } from '../../../storage/index.ts';

/**
 * Rows of one transaction: few, so that other transactions do not wait for long. Each workspace cascades to many other
 * rows.
 */
const BATCH = 100;
const WORKSPACES = 20;

type Batch = { organizationId: string; batch: number };

const selectWorkspaces = sql<Batch, { id: string }>(
  'SELECT id FROM workspace WHERE organization_id = :organizationId ORDER BY name LIMIT :batch',
);
const removeWorkspace = sql<{ id: string }>('DELETE FROM workspace WHERE id = :id');

/**
 * Rows of an organization, apart from workspaces, that may be many. Leaves come first. Dependent rows are deleted by
 * cascade, the rest with the organization itself.
 */
const BATCHES = [
  ...['tag', 'variable_set', 'project'].map(inBatches),
  // Placeholder accounts of invitations to this organization only.
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

/** Marks the organization as deleted, which hides it and frees its name. Returns undefined if it was marked before. */
export function markRemoved(db: Queries, id: string, now: number) {
  return db.one(markDeleted, { id, name: `${id} (deleted)`, now });
}

/** Lists organizations whose deletion is not finished. */
export function listRemoved(db: Queries) {
  return db.all(selectDeleted, {});
}

/** Returns the next workspaces to delete. */
export async function workspacesOfRemoved(db: Queries, organizationId: string): Promise<string[]> {
  return (await db.all(selectWorkspaces, { organizationId, batch: WORKSPACES })).map(({ id }) => id);
}

/** Deletes workspaces with all rows that refer to them. */
export async function removeWorkspaces(tx: Transaction, ids: readonly string[]): Promise<void> {
  for (const id of ids) await tx.run(removeWorkspace, { id });
}

/** Deletes a batch of the organization's other rows. Returns false when none are left. */
export async function removeBatch(tx: Transaction, organizationId: string): Promise<boolean> {
  for (const statement of BATCHES) {
    if ((await tx.run(statement, { organizationId, batch: BATCH })) > 0) return true;
  }
  return false;
}

/** Deletes the organization with its remaining rows. */
export async function removeOrganization(tx: Transaction, id: string): Promise<void> {
  await tx.run(removeServiceAccount, { id });
  await tx.run(removeOrganizationStatement, { id });
}
