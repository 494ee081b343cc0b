import { type Database, type Queries, sql } from '../../storage/index.ts';
import type { RetainedStore } from '../workspace/index.ts';
import type { ConfigurationVersions } from './configuration-version/configuration-versions.ts';
import { SHOWN } from './run/run.ts';

type Window = { workspaceId: string; before: number; keepLatest: number; limit: number };

// Selects finished runs that are older than the policy keeps, except the current run of the workspace and its newest
// runs.
const removeRuns = sql<Window>(
  `DELETE FROM run WHERE id IN (
     SELECT r.id FROM run r WHERE r.workspace_id = :workspaceId AND r.created_at < :before AND r.finished_at IS NOT NULL
       AND ${SHOWN}
       AND r.id <> coalesce((SELECT w.current_run_id FROM workspace w WHERE w.id = :workspaceId), '')
       AND r.id NOT IN (SELECT n.id FROM run n WHERE n.workspace_id = :workspaceId AND n.operation <> 'assessment'
                        ORDER BY n.created_at DESC, n.id DESC LIMIT :keepLatest)
     ORDER BY r.created_at, r.id LIMIT :limit)`,
);
const selectOld = sql<Window, { id: string; backing: 'kept' | 'soft_deleted' }>(
  `SELECT c.id, c.backing FROM configuration_version c
   WHERE c.workspace_id = :workspaceId AND c.created_at < :before AND c.status = 'uploaded' AND c.backing <> 'deleted'
     AND c.id <> coalesce((SELECT w.current_configuration_version_id FROM workspace w WHERE w.id = :workspaceId), '')
     AND NOT EXISTS (SELECT 1 FROM run r WHERE r.configuration_version_id = c.id AND r.finished_at IS NULL)
     AND c.id NOT IN (SELECT n.id FROM configuration_version n WHERE n.workspace_id = :workspaceId
                      ORDER BY n.created_at DESC, n.id DESC LIMIT :keepLatest)
   ORDER BY c.created_at, c.id LIMIT :limit`,
);

/** Applies retention policies to runs: deletes finished ones with their logs. */
export function retainedRuns(database: Database): RetainedStore {
  return {
    kind: 'runs',
    deleteOlder: (workspaceId, { before, keepLatest, limit }) =>
      database.transaction((tx: Queries) => tx.run(removeRuns, { workspaceId, before, keepLatest, limit })),
  };
}

/** Applies retention policies to configuration versions: deletes their archives but keeps the records. */
export function retainedConfigurations(database: Database, configurations: ConfigurationVersions): RetainedStore {
  return {
    kind: 'configuration-versions',
    async deleteOlder(workspaceId, { before, keepLatest, limit }) {
      const old = await database.all(selectOld, { workspaceId, before, keepLatest, limit });
      for (const { id, backing } of old) {
        if (backing === 'kept') await configurations.retain(id, 'soft_delete_backing_data');
        await configurations.retain(id, 'permanently_delete_backing_data');
      }
      return old.length;
    },
  };
}
