import { isoTime } from '../../../lib/clock.ts';
import type { Queries } from '../../../storage/index.ts';
import { autoDestroyPlan, findWorkspaces } from '../../workspace/index.ts';
import type { Run } from '../run/run.ts';
import { isPending } from './project-store.ts';
import { SOURCE } from './rules.ts';
import { findPlan } from './store.ts';
import { NOT_ALLOWED } from './texts.ts';

const CLEARED = 'The workspace has no auto-destroy setting any more';
const OTHER_RUN = 'The workspace has another auto-destroy time now, so this run is not wanted any more';

/**
 * Returns why an automatic destroy run is not wanted any more, as a sentence without its full stop. Undefined if it is
 * wanted, for other runs, and for a deleted workspace.
 *
 * Changes of a workspace end the run in their own transaction (plans.ts). Changes of a project reach its workspaces
 * later, and `allow-destroy-plan` ends nothing, so the settings of now decide.
 */
export async function whyUnwanted(
  db: Queries,
  { id, source, workspaceId }: Pick<Run, 'id' | 'source' | 'workspaceId'>,
  now: number,
): Promise<string | undefined> {
  if (source !== SOURCE) return undefined;
  const [workspace] = await findWorkspaces(db, [workspaceId]);
  if (workspace === undefined) return undefined;
  if (!workspace.settings['allow-destroy-plan']) return NOT_ALLOWED;
  const plan = autoDestroyPlan(workspace);
  if (plan === undefined) return CLEARED;
  if ((await findPlan(db, workspaceId))?.runId !== id) return OTHER_RUN;
  if (plan.dueAt === null || plan.dueAt <= now) return undefined;
  // A failed run that has changed the state is no activity, although the period of the workspace seems to start again.
  const isMoved =
    plan.kind === 'at' || (plan.source === 'project' && (await isPending(db, workspace.projectId, workspaceId)));
  return isMoved ? `The auto-destroy time of the workspace is ${isoTime(plan.dueAt)} now` : undefined;
}
