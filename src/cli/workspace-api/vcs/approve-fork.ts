import type { Command } from 'commander';
import { ask, withConnection } from '../../connection/connection.ts';
import { withOrganization } from '../../connection/organization.ts';
import { type OutputOptions, print, withOutput } from '../../output/output.ts';
import { dataOf, WORKSPACE_ARGUMENT, workspaceIdOf } from '../workspace-requests.ts';
import type { VcsOptions } from './connection-requests.ts';
import { commitId, pullNumber } from './explain.ts';

interface ApproveOptions extends VcsOptions, OutputOptions {
  readonly pull: string;
  readonly commit: string;
}

/** Command `lockkeeper vcs approve-fork`. The commit is required, so that a later push by strangers is not approved. */
export function addApproveFork(vcs: Command): void {
  const command = vcs
    .command('approve-fork')
    .description('Allow one plan of a pull request from a fork, without secrets; read the commit first')
    .argument(...WORKSPACE_ARGUMENT)
    .requiredOption('--pull <number>', 'number of the pull request', pullNumber)
    .requiredOption('--commit <id>', 'commit that you have read; 40 digits', commitId);
  withOutput(withConnection(withOrganization(command))).action(approve);
}

async function approve(named: string, options: ApproveOptions): Promise<void> {
  const attributes = { 'pull-request-number': Number(options.pull), 'commit-sha': options.commit };
  const path = `/api/v2/workspaces/${await workspaceIdOf(named, options)}/actions/approve-fork`;
  const { body } = await ask(options, 'workspaces', 'POST', path, { data: { type: 'fork-approvals', attributes } });
  await print({ whole: body, brief: { id: dataOf(body).id, ...dataOf(body).attributes } }, options);
}
