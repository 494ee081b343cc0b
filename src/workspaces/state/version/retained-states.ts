import type { RetainedStore } from '../../workspace/index.ts';
import type { BackingData } from './backing-data.ts';

/** What retention policies do with states: their data goes for good, and that there was a version stays. */
export function retainedStates(backingData: BackingData): RetainedStore {
  return {
    kind: 'state-versions',
    deleteOlder: (workspaceId, older) => backingData.deleteOlder(workspaceId, older),
  };
}
