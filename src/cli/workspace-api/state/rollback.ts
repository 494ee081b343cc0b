import type { Command } from 'commander';
import { ask, withConnection } from '../../connection/connection.ts';
import { type OrganizationOptions, withOrganization } from '../../connection/organization.ts';
import { type OutputOptions, print, withOutput } from '../../output/output.ts';
import { requireConfirmation } from '../../process/question.ts';
import { dataOf, WORKSPACE_ARGUMENT } from '../workspace-requests.ts';
import { withLock } from './lock.ts';
import { rowOf, versionOf } from './versions.ts';

interface RollbackOptions extends OrganizationOptions, OutputOptions {
  readonly yes?: true;
}

/** Command `lockkeeper state rollback`. */
export function addStateRollback(state: Command): void {
  const command = state
    .command('rollback')
    .description('Make an earlier state the current one, as a new version; locks the workspace meanwhile')
    .argument(...WORKSPACE_ARGUMENT)
    .argument('<state>', 'serial, or ID')
    .option('--yes', 'do not ask');
  withOutput(withConnection(withOrganization(command))).action(rollback);
}

async function rollback(named: string, wanted: string, options: RollbackOptions): Promise<void> {
  const { workspace, version } = await versionOf(named, wanted, options);
  const { serial, 'created-at': at } = version.attributes;
  const name = String(workspace.attributes.name);
  await requireConfirmation(
    `Make the state ${String(serial)} of ${String(at)} the current one of ${name}?`,
    options.yes,
  );
  const relationships = { 'rollback-state-version': { data: { type: 'state-versions', id: version.id } } };
  const { body } = await withLock(workspace, options, () =>
    ask(options, 'workspaces', 'PATCH', `/api/v2/workspaces/${workspace.id}/state-versions`, {
      data: { type: 'state-versions', relationships },
    }),
  );
  await print({ whole: body, brief: rowOf(dataOf(body)) }, options);
}
