import { AppError } from '../../../lib/errors.ts';
import type { Transaction } from '../../../storage/index.ts';
import { triggering } from '../approval/requesters.ts';
import type { UsableConfigurations } from '../configuration-version/usable.ts';
import type { Run } from '../run/run.ts';
import type { RunStart } from '../run/start.ts';
import type { RunTriggers } from './run-triggers.ts';

/**
 * Number of workspaces in which one applied run starts runs.
 * @limit workspaces in which one applied run starts runs, workspaces -> the others get no run
 */
const MOST = 100;

/** Starts the runs that an applied run triggers. Skips workspaces that cannot run now. */
export function fireTriggers(
  triggers: RunTriggers,
  configurations: Pick<UsableConfigurations, 'newest'>,
  start: RunStart,
): (tx: Transaction, applied: Run, now: number) => Promise<void> {
  return async (tx, applied, now) => {
    const outbound = await triggers.outboundOf(tx, applied.workspaceId, MOST);
    const inherited = outbound.length === 0 ? [] : await triggering(tx, applied);
    for (const { workspaceId, sourceName } of outbound) {
      const configurationVersionId = await configurations.newest(tx, workspaceId);
      const workspace = await start.workspace(tx, workspaceId);
      if (configurationVersionId === undefined || workspace === undefined || workspace.refusal !== undefined) continue;
      const request = {
        configurationVersionId,
        source: 'tfe-run-trigger',
        triggerReason: 'triggered',
        message: `Triggered by run ${applied.id} of workspace ${sourceName}`,
        // The creator may have no access to this workspace. The user who sets up the trigger decides.
        appliesBySettings: true,
        parameters: { 'auto-apply': workspace.settings['auto-apply-run-trigger'] === true },
        createdBy: applied.createdBy,
        createdByName: applied.createdByName,
        inherited,
      };
      await start.startFor(tx, workspace, request, now).catch(unlessFull);
    }
  };
}

/** The workspace already has too many waiting runs. One more would change nothing. */
function unlessFull(error: unknown): void {
  if (!(error instanceof AppError && error.kind === 'conflict')) throw error;
}
