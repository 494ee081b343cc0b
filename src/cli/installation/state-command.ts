import type { Command } from 'commander';
import { openBlobs } from '../../composition/index.ts';
import { BlobMissing, KeyringError, openContent } from '../../storage/index.ts';
import { currentContent } from '../../workspaces/index.ts';
import { CommandError, usageError } from '../errors/command-error.ts';
import { EXIT } from '../errors/exit-codes.ts';
import { writeNewFile } from '../output/new-file.ts';
import { groupIn } from '../process/command-groups.ts';
import { type ConfigOptions, readConfigFile, withConfig } from '../process/config-file.ts';
import { requireDatabases } from '../process/existing-databases.ts';
import { openKeyringOf } from '../process/keyring.ts';
import { withDatabases } from '../process/without-server.ts';

interface ExportOptions extends ConfigOptions {
  readonly workspace: string;
  readonly out?: string;
}

/** Command `lockkeeper state export`: reads a state without a running server. */
export function addStateExport(program: Command): void {
  withConfig(groupIn(program, 'state').command('export'))
    .description('Without a server: decrypt the current state, using keyring, database and blob store')
    .requiredOption('--workspace <organization/name>', 'workspace to export')
    .option('--out <file>', 'new file that only its owner can read (default: standard output)')
    .action(exportState);
}

async function exportState(options: ExportOptions): Promise<void> {
  const [organization = '', name = '', ...more] = options.workspace.split('/');
  if (organization === '' || name === '' || more.length > 0)
    throw usageError(`--workspace ${options.workspace}: expected ORGANIZATION/NAME`);
  const config = readConfigFile(options);
  requireDatabases(config.storage, options.config);
  const keyring = await openKeyringOf(config);
  await withDatabases(config, async ({ workspaces }) => {
    const content = await currentContent(workspaces, organization, name);
    if (content === undefined) throw new CommandError(`no workspace named ${options.workspace}`, EXIT.notFound);
    if (content === null) throw new CommandError(`the workspace ${options.workspace} has no state`, EXIT.notFound);
    const blobs = await openBlobs(config.storage);
    const state = openContent(keyring, content, blobs.get(content.name));
    await writeNewFile(state, options.out).catch((error: unknown) => {
      if (!(error instanceof KeyringError || error instanceof BlobMissing)) throw error;
      throw new CommandError(
        `the state of ${options.workspace} cannot be decrypted: ${error.message} (blob ${content.name})`,
      );
    });
    process.stderr.write(`serial ${content.serial}, ${content.size} bytes\n`);
  });
}
