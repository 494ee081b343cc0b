import type { Queries } from '../../../storage/index.ts';
import * as store from './author-store.ts';
import type { Asker } from './requesters.ts';

export {
  removeAutoDestroyRetrier,
  setAutoDestroyAuthor,
  setAutoDestroyAuthorOfProject,
  setAutoDestroyRetrier,
  setScheduleAuthor,
} from './author-store.ts';

/** Returns who requests the runs of a schedule: who changed it last. None for a schedule from before this was stored. */
export async function scheduleAskers(db: Queries, scheduleId: string): Promise<Asker[]> {
  const by = await store.scheduleAuthor(db, scheduleId);
  return by === undefined ? [] : [{ part: 'schedule', by }];
}

/**
 * Returns who requests the automatic destroy run of a workspace: who changed the setting last, and who retried the run.
 * @param projectId project whose setting holds; null if the workspace has its own
 */
export function autoDestroyAskers(db: Queries, workspaceId: string, projectId: string | null): Promise<Asker[]> {
  return store.autoDestroyAuthors(db, workspaceId, projectId);
}
