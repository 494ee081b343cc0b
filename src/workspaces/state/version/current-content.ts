import { type Blob, type Database, sql } from '../../../storage/index.ts';

/** Current state of a workspace, in the form in which it is stored. */
export interface CurrentContent extends Blob {
  readonly serial: number;
  /** Size in bytes. */
  readonly size: number;
}

const select = sql<{ organization: string; workspace: string }, CurrentContent>(
  `SELECT b.name, b.data_key AS "dataKey", v.serial, v.size FROM organization o
   JOIN workspace w ON w.organization_id = o.id AND w.name = :workspace
   JOIN state_version v ON v.id = w.current_state_version_id JOIN blob b ON b.name = v.state_blob
   WHERE o.name = :organization`,
);
const selectWorkspace = sql<{ organization: string; workspace: string }, { id: string }>(
  `SELECT w.id FROM organization o JOIN workspace w ON w.organization_id = o.id AND w.name = :workspace
   WHERE o.name = :organization`,
);

/**
 * Reads the state for the operator's commands, which run without a server. Returns undefined if the workspace does not
 * exist, null if it has no state.
 */
export async function currentContent(database: Database, organization: string, workspace: string) {
  const names = { organization, workspace };
  const content = await database.one(select, names);
  return content ?? ((await database.one(selectWorkspace, names)) ? null : undefined);
}
