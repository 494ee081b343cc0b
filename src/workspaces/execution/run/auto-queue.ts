import type { Clock } from '../../../lib/clock.ts';
import type { Transaction } from '../../../storage/index.ts';
import type { ConfigurationVersion } from '../configuration-version/configuration-version.ts';
import type { RunStart } from './start.ts';

/**
 * Starts the run of a configuration version with `auto-queue-runs`, in the name of the user who created the version.
 * A workspace that executes locally gets no run.
 */
export function autoQueue(clock: Clock, start: RunStart) {
  return async (tx: Transaction, { id, workspaceId, speculative, createdBy }: ConfigurationVersion): Promise<void> => {
    const workspace = await start.workspace(tx, workspaceId);
    if (workspace === undefined || workspace.executionMode === 'local') return;
    const request = {
      configurationVersionId: id,
      source: 'tfe-configuration-version',
      triggerReason: 'manual',
      message: 'Queued by an upload of a configuration version',
      speculative,
      createdBy,
    };
    await start.startFor(tx, workspace, request, clock());
  };
}
