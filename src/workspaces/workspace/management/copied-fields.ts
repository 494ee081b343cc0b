import { sql, type Transaction } from '../../../storage/index.ts';
import * as consumerStore from '../consumer/store.ts';
import * as bindingStore from '../tag/binding-store.ts';
import * as tagStore from '../tag/store.ts';

interface CopiedFields {
  readonly name: string;
  readonly projectId: string;
}

const updateGrants = sql<{ id: string; name: string; projectId: string }>(
  'UPDATE team_workspace SET workspace_name = :name, project_id = :projectId WHERE workspace_id = :id',
);

/** Updates the copies of the workspace's name, and in some tables its project. Lists are sorted by these copies. */
export async function updateCopies(
  tx: Transaction,
  id: string,
  before: CopiedFields,
  after: CopiedFields,
): Promise<void> {
  const { name, projectId } = after;
  if (name !== before.name) {
    await tagStore.renameLinks(tx, id, name);
    await bindingStore.renameBindings(tx, id, name);
    await consumerStore.renameConsumer(tx, id, name);
  }
  if (name !== before.name || projectId !== before.projectId) await tx.run(updateGrants, { id, name, projectId });
}
