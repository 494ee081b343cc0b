import type { Command } from 'commander';
import { download } from '../../client/signed-url.ts';
import { ask, targetOf, withConnection } from '../../connection/connection.ts';
import { type OrganizationOptions, withOrganization } from '../../connection/organization.ts';
import { CommandError } from '../../errors/command-error.ts';
import { EXIT } from '../../errors/exit-codes.ts';
import { writeNewFile } from '../../output/new-file.ts';
import { dataOf, WORKSPACE_ARGUMENT, workspaceIdOf } from '../workspace-requests.ts';
import { versionOf } from './versions.ts';

interface PullOptions extends OrganizationOptions {
  readonly serial?: string;
  readonly out?: string;
}

/** Command `lockkeeper state pull`. A state contains secrets, so its file is only for its owner. */
export function addStatePull(state: Command): void {
  const command = state
    .command('pull')
    .description('Download the current state of a workspace, or an earlier one')
    .argument(...WORKSPACE_ARGUMENT)
    .option('--serial <state>', 'serial or ID of an earlier state')
    .option('--out <file>', 'new file that only its owner can read (default: standard output)');
  withConnection(withOrganization(command)).action(pull);
}

async function pull(named: string, options: PullOptions): Promise<void> {
  const version =
    options.serial === undefined
      ? await currentOf(named, options)
      : (await versionOf(named, options.serial, options)).version;
  const url = version.attributes['hosted-state-download-url'];
  if (typeof url !== 'string') {
    throw new CommandError('the content of this state is not stored, or not uploaded yet', EXIT.notFound);
  }
  const { body } = await download(url, targetOf(options).ca);
  await writeNewFile(body, options.out);
  process.stderr.write(`serial ${String(version.attributes.serial)}, ${String(version.attributes.size)} bytes\n`);
}

async function currentOf(named: string, options: OrganizationOptions) {
  const path = `/api/v2/workspaces/${await workspaceIdOf(named, options)}/current-state-version`;
  return dataOf((await ask(options, 'workspaces', 'GET', path)).body);
}
