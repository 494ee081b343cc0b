import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { openBlobs } from '../../composition/index.ts';
import { BlobMissing, KeyringError, openContent } from '../../storage/index.ts';
import { currentContent } from '../../workspaces/index.ts';
import { CommandError, usageError } from '../errors/command-error.ts';
import { EXIT } from '../errors/exit-codes.ts';
import { type ConfigOptions, readConfigFile, withConfig } from '../process/config-file.ts';
import { requireDatabases } from '../process/existing-databases.ts';
import { openKeyringOf } from '../process/keyring.ts';
import { withDatabases } from '../process/without-server.ts';

interface ExportOptions extends ConfigOptions {
  readonly workspace: string;
  readonly out?: string;
}

/** Command `lockkeeper state export`: reads a state without a running server. */
export function addState(program: Command): void {
  const state = program.command('state').description('Read states without a server');
  withConfig(state.command('export'))
    .description('Decrypt and write the current state of a workspace, using keyring, database and blob store')
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
    await write(state, options.out).catch((error: unknown) => {
      if (!(error instanceof KeyringError || error instanceof BlobMissing)) throw error;
      throw new CommandError(
        `the state of ${options.workspace} cannot be decrypted: ${error.message} (blob ${content.name})`,
      );
    });
    process.stderr.write(`serial ${content.serial}, ${content.size} bytes\n`);
  });
}

/** Writes the file atomically. */
async function write(state: AsyncIterable<Uint8Array>, out: string | undefined): Promise<void> {
  if (out === undefined) return pipeline(state, process.stdout, { end: false });
  const path = resolve(out);
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  await pipeline(state, file).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw new CommandError(`${path} already exists; choose another file`);
    if (error.syscall === 'open') throw new CommandError(`${path} cannot be written: ${error.message}`);
    await rm(path, { force: true });
    throw error;
  });
}
