import type { BlobHousekeeping } from '../../../storage/index.ts';
import type { Dependent, StateGate } from '../../workspace/index.ts';
import type { StateHooks } from '../hooks/hooks.ts';
import { whyUnread } from '../reader/readable.ts';
import * as store from './store.ts';

/** Condition on `workspace`: no state version is pending, and the newest is not a snapshot. */
export const NOTHING_TO_PROMOTE = `NOT EXISTS
    (SELECT 1 FROM state_version v WHERE v.workspace_id = workspace.id AND v.status = 'pending')
  AND COALESCE((SELECT v.intermediate FROM state_version v
    WHERE v.workspace_id = workspace.id AND v.status = 'finalized' ORDER BY v.position DESC LIMIT 1), 0) = 0`;

/** Checks states when a workspace is unlocked or deleted (spec §3, §4.7). */
export function stateGate(hooks: StateHooks): StateGate {
  return {
    async beforeUnlock(tx, workspaceId) {
      return (await store.hasPendingVersion(tx, workspaceId)) ? 'pending' : undefined;
    },
    async promote(tx, workspaceId) {
      const id = await store.findNewestSnapshot(tx, workspaceId);
      if (id === undefined) return;
      await store.makeVersionCurrent(tx, workspaceId, id);
      await hooks.emitChanged(tx, workspaceId);
    },
    async whyUnread(tx, workspaceId) {
      const kind = await store.currentKind(tx, workspaceId);
      return kind && whyUnread(kind);
    },
  };
}

/** Deletes the blobs of a deleted workspace. */
export function stateDependent(blobs: BlobHousekeeping): Dependent {
  return {
    name: 'states',
    async purge(workspaceId) {
      return !(await blobs.removeSome({ workspaceId }));
    },
  };
}
