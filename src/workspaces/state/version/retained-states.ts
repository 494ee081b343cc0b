import type { RetainedStore } from '../../workspace/index.ts';
import type { BackingData } from './backing-data.ts';

/** Deletes states for retention policies: the data is deleted permanently, the rows of the versions stay. */
export function retainedStates(backingData: BackingData): RetainedStore {
  return {
    kind: 'state-versions',
    deleteOlder: (workspaceId, older) => backingData.deleteOlder(workspaceId, older),
  };
}
