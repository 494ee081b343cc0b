import type { Clock } from '../../../lib/clock.ts';
import type { Transaction } from '../../../storage/index.ts';
import type { ConfigurationVersion } from '../configuration-version/configuration-version.ts';
import type { ExecutableWorkspaces } from './executable.ts';
import { defaultParameters } from './rules.ts';
import { type RunStart, readWorkspaceFacts } from './start.ts';

/**
 * Starts the run of a configuration version with `auto-queue-runs`, in the name of the user who created the version.
 */
export function autoQueue(clock: Clock, start: RunStart, executable: ExecutableWorkspaces) {
  return async (tx: Transaction, { id, workspaceId, speculative, createdBy }: ConfigurationVersion): Promise<void> => {
    const facts = await readWorkspaceFacts(tx, workspaceId);
    if (facts === undefined || facts.executionMode === 'local') return;
    await executable.require(tx, workspaceId);
    const { settings } = facts;
    const defaults = {
      autoApply: settings['auto-apply'] === true,
      engineVersion: String(settings['engine-version'] ?? 'latest'),
      allowsDestroyPlan: false,
    };
    const run = {
      organizationId: facts.organizationId,
      workspaceId,
      configurationVersionId: id,
      source: 'tfe-configuration-version',
      triggerReason: 'manual',
      message: 'Queued by an upload of a configuration version',
      parameters: defaultParameters(defaults, speculative),
      variables: [],
      createdBy,
      createdByName: '',
    };
    await start.start(tx, run, clock());
  };
}
