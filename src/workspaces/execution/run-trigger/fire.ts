import { AppError } from '../../../lib/errors.ts';
import type { UsableConfigurations } from '../configuration-version/usable.ts';
import type { ExecutableWorkspaces } from '../run/executable.ts';
import { defaultParameters } from '../run/rules.ts';
import type { AppliedListener } from '../run/run-state-machine.ts';
import { type RunStart, readWorkspaceFacts } from '../run/start.ts';
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
  executable: ExecutableWorkspaces,
): AppliedListener {
  return async (tx, applied, now) => {
    for (const { workspaceId, sourceName } of await triggers.outboundOf(tx, applied.workspaceId, MOST)) {
      const configurationVersionId = await configurations.newest(tx, workspaceId);
      const facts = await readWorkspaceFacts(tx, workspaceId);
      if (configurationVersionId === undefined || facts === undefined) continue;
      const { settings } = facts;
      if ((await executable.refusal(tx, workspaceId)) !== undefined) continue;
      const defaults = {
        autoApply: settings['auto-apply-run-trigger'] === true,
        engineVersion: String(settings['engine-version'] ?? 'latest'),
        allowsDestroyPlan: false,
      };
      const run = {
        organizationId: facts.organizationId,
        workspaceId,
        configurationVersionId,
        source: 'tfe-run-trigger',
        triggerReason: 'triggered',
        message: `Triggered by run ${applied.id} of workspace ${sourceName}`,
        parameters: defaultParameters(defaults, false),
        variables: [],
        createdBy: applied.createdBy,
        createdByName: applied.createdByName,
      };
      await start.start(tx, run, now).catch(unlessFull);
    }
  };
}

/** The workspace already has too many waiting runs. One more would change nothing. */
function unlessFull(error: unknown): void {
  if (!(error instanceof AppError && error.kind === 'conflict')) throw error;
}
