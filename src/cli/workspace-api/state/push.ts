import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { upload } from '../../client/signed-url.ts';
import { ask, targetOf, withConnection } from '../../connection/connection.ts';
import { type OrganizationOptions, withOrganization } from '../../connection/organization.ts';
import { usageError } from '../../errors/command-error.ts';
import { type OutputOptions, print, withOutput } from '../../output/output.ts';
import { dataOf, WORKSPACE_ARGUMENT, workspaceOf } from '../workspace-requests.ts';
import { withLock } from './lock.ts';
import { rowOf } from './versions.ts';

interface PushOptions extends OrganizationOptions, OutputOptions {
  readonly force?: true;
}

const STDIN = 0;

/** Command `lockkeeper state push`. */
export function addStatePush(state: Command): void {
  const command = state
    .command('push')
    .description('Upload a state file as the current state; locks the workspace meanwhile')
    .argument(...WORKSPACE_ARGUMENT)
    .argument('<file>', 'state file, or - for standard input')
    .option('--force', 'accept another lineage or an older serial');
  withOutput(withConnection(withOrganization(command))).action(push);
}

async function push(named: string, file: string, options: PushOptions): Promise<void> {
  const bytes = read(file);
  const { serial, lineage } = headOf(file, bytes);
  const workspace = await workspaceOf(named, options);
  const attributes = {
    ...{ serial, lineage, md5: createHash('md5').update(bytes).digest('hex') },
    ...(options.force && { force: true }),
  };
  const created = await withLock(workspace, options, async () => {
    const path = `/api/v2/workspaces/${workspace.id}/state-versions`;
    const { body } = await ask(options, 'workspaces', 'POST', path, { data: { type: 'state-versions', attributes } });
    const version = dataOf(body);
    await upload(String(version.attributes['hosted-state-upload-url']), bytes, targetOf(options).ca);
    return version.id;
  });
  const { body } = await ask(options, 'workspaces', 'GET', `/api/v2/state-versions/${created}`);
  await print({ whole: body, brief: rowOf(dataOf(body)) }, options);
}

function read(file: string): Buffer {
  try {
    return readFileSync(file === '-' ? STDIN : file);
  } catch (error) {
    throw usageError(`cannot read ${file}: ${(error as Error).message}`);
  }
}

function headOf(file: string, bytes: Buffer): { serial: number; lineage: string } {
  const { serial, lineage } = parsed(bytes);
  if (typeof serial === 'number' && typeof lineage === 'string') return { serial, lineage };
  throw usageError(`${file} is not a state file: it has no serial and no lineage`);
}

function parsed(bytes: Buffer): { readonly serial?: unknown; readonly lineage?: unknown } {
  try {
    return JSON.parse(bytes.toString()) ?? {};
  } catch {
    return {};
  }
}
