import type { Queries } from '../../../../storage/index.ts';
import { fragment, isOneOf, select } from '../../../query/dynamic.ts';
import { peopleAccess, workspacePermissions } from '../../../tenancy/index.ts';
import { isDigest, isOfWorkspace, type News } from '../notification.ts';

/** Workspaces that a message is about, and what its readers must be allowed to read of them. */
export interface Subject {
  readonly workspaceIds: readonly string[];
  readonly permission: 'can-read-run' | 'can-read-settings';
}

/** The policies do not affect permissions to read. */
const ANY_POLICY = { allowsDestroyPlan: false, allowsForceDelete: false };
/** No workspace has this ID. Digests of earlier versions do not name the IDs of their workspaces. */
const UNKNOWN = '';

/** Returns the subject of a message. A digest is about all workspaces that it names. */
export function subjectOf(news: News): Subject {
  if (!isDigest(news)) {
    return { workspaceIds: [news.workspaceId], permission: isOfWorkspace(news) ? 'can-read-settings' : 'can-read-run' };
  }
  const ids = news.sections.flatMap(({ entries }) => entries.map(({ workspaceId = UNKNOWN }) => workspaceId));
  return { workspaceIds: [...new Set(ids)], permission: 'can-read-run' };
}

/** Returns those of the users who may read the subject now. */
export async function readersOf(
  db: Queries,
  organizationId: string,
  userIds: readonly string[],
  { permission, workspaceIds }: Subject,
): Promise<ReadonlySet<string>> {
  if (userIds.length === 0) return new Set();
  const rows = await select(
    db,
    fragment<{ id: string; projectId: string }>`select w.id, w.project_id as "projectId" from workspace w
      where ${isOneOf('w.id', workspaceIds)} and w.organization_id = ${organizationId}`,
  );
  // Only users who may read all workspaces read of one that is gone.
  const gone = workspaceIds.filter((id) => !rows.some((row) => row.id === id));
  const targets = [...rows, ...gone.map((id) => ({ id, projectId: UNKNOWN }))];
  const people = await peopleAccess(db, userIds, organizationId, targets);
  const reads = (id: string) => {
    const person = people.get(id);
    return targets.every(
      (target) => person !== undefined && workspacePermissions(person.accessTo(target), ANY_POLICY)[permission],
    );
  };
  return new Set(userIds.filter(reads));
}
