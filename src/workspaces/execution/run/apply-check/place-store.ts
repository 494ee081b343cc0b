import type { Queries } from '../../../../storage/index.ts';
import { fragment, select } from '../../../query/dynamic.ts';
import type { EngineKind } from '../../../tenancy/index.ts';
import { EXECUTION, isServedBy, NOT_DELETED } from '../../../workspace/index.ts';

/** The workspace of a run, with its current settings. */
export interface Place {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly name: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly workingDirectory: string;
  /** Default engine of the organization, for a workspace that names no engine. */
  readonly defaultEngine: EngineKind;
  /** Execution mode of the workspace: its own, or the inherited one. */
  readonly executionMode: string;
  /** Name of the workspace's agent pool; null if it has none. */
  readonly pool: string | null;
  /** Whether that agent pool may serve this workspace. */
  readonly isInPool: boolean;
  /** Holder of the lock; null while the workspace is unlocked. */
  readonly holder: { readonly type: string; readonly id: string; readonly name: string } | null;
  readonly stateVersionId: string | null;
  readonly currentRunId: string | null;
}

interface Row extends Omit<Place, 'settings' | 'workingDirectory' | 'isInPool' | 'holder'> {
  readonly settings: string;
  readonly isInPool: number;
  readonly holderType: string | null;
  readonly holderId: string | null;
  readonly holderName: string | null;
}

/** Returns the workspace of a run with its current settings; undefined if it was deleted. */
export async function findPlace(db: Queries, workspaceId: string): Promise<Place | undefined> {
  const [row] = await select(
    db,
    fragment<Row>`select w.id, w.organization_id as "organizationId", w.project_id as "projectId", w.name, w.settings,
        x.execution_mode as "executionMode", pool.name as pool,
        case when pool.id is not null and ${isServedBy(fragment.raw('pool.id'))} then 1 else 0 end as "isInPool",
        w.lock_holder_type as "holderType", w.lock_holder_id as "holderId", w.lock_holder_name as "holderName",
        w.current_state_version_id as "stateVersionId", w.current_run_id as "currentRunId",
        o.default_engine as "defaultEngine"
      from ${fragment.raw(EXECUTION)} join workspace w on w.id = x.id join organization o on o.id = w.organization_id
        left join agent_pool pool on pool.id = x.agent_pool_id
      where x.id = ${workspaceId} and ${fragment.raw(NOT_DELETED)}`,
  );
  if (row === undefined) return undefined;
  const { settings: text, isInPool, holderType, holderId, holderName, ...rest } = row;
  const settings = JSON.parse(text) as Readonly<Record<string, unknown>>;
  return {
    ...rest,
    settings,
    workingDirectory: String(settings['working-directory'] ?? ''),
    isInPool: isInPool === 1,
    holder: holderId === null ? null : { type: holderType ?? '', id: holderId, name: holderName ?? '' },
  };
}
