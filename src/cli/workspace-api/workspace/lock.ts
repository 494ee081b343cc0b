import type { Command } from 'commander';
import { ask, withConnection } from '../../connection/connection.ts';
import { type OrganizationOptions, withOrganization } from '../../connection/organization.ts';
import { CommandError } from '../../errors/command-error.ts';
import { EXIT } from '../../errors/exit-codes.ts';
import { durationText } from '../../output/duration.ts';
import { type OutputOptions, print, type Shown, withOutput } from '../../output/output.ts';
import { printable } from '../../output/printable.ts';
import type { Resource } from '../resource.ts';
import { dataOf, rowOf, WORKSPACE_ARGUMENT, workspaceOf } from '../workspace-requests.ts';

interface LockOptions extends OrganizationOptions, OutputOptions {
  readonly reason?: string;
  readonly force?: true;
}

/** Command `lockkeeper workspace lock`. */
export function addWorkspaceLock(workspace: Command): void {
  const command = workspace
    .command('lock')
    .description('Lock a workspace; exit code 5 if it is already locked')
    .argument(...WORKSPACE_ARGUMENT)
    .option('--reason <text>', 'reason of the lock')
    .option('--force', 'take the lock from its holder');
  withOutput(withConnection(withOrganization(command))).action(lock);
}

/** Command `lockkeeper workspace unlock`. */
export function addWorkspaceUnlock(workspace: Command): void {
  const command = workspace
    .command('unlock')
    .description('Unlock a workspace')
    .argument(...WORKSPACE_ARGUMENT)
    .option('--force', 'unlock even if another user holds the lock');
  withOutput(withConnection(withOrganization(command))).action(unlock);
}

async function lock(named: string, options: LockOptions): Promise<void> {
  const { id, attributes } = await workspaceOf(named, options);
  if (options.force && attributes.locked === true) await act(id, 'force-unlock', undefined, options);
  const body = options.reason === undefined ? {} : { reason: options.reason };
  await print(await act(id, 'lock', body, options), options);
}

async function unlock(named: string, options: LockOptions): Promise<void> {
  const { id } = await workspaceOf(named, options);
  await print(await act(id, options.force ? 'force-unlock' : 'unlock', undefined, options), options);
}

async function act(id: string, action: string, body: unknown, options: LockOptions): Promise<Shown> {
  const path = `/api/v2/workspaces/${id}`;
  try {
    const { body: answer } = await ask(options, 'workspaces', 'POST', `${path}/actions/${action}`, body);
    return { whole: answer, brief: rowOf(dataOf(answer)) };
  } catch (error) {
    if (!(error instanceof CommandError) || error.exitCode !== EXIT.conflict) throw error;
    const now = await workspaceOf(id, options);
    if (now.attributes.locked !== true) throw error;
    throw new CommandError(
      `${String(now.attributes.name)} is locked by ${holderOf(now)}; ${nextStep(now)}`,
      EXIT.conflict,
    );
  }
}

/** Returns who holds the lock, for how long, and why. */
export function holderOf({ attributes, relationships }: Resource): string {
  const holder = relationships?.['locked-by']?.data as { readonly type: string; readonly id: string } | undefined;
  const name = String(attributes['locked-by-name'] ?? holder?.id ?? 'an unknown holder');
  // The ID of a run begins with its type.
  const kind = holder?.type === 'runs' && !name.startsWith('run-') ? 'run ' : '';
  const since = attributes['locked-at'];
  const age = typeof since === 'string' ? `, ${durationText(Date.now() - Date.parse(since))}` : '';
  const reason = attributes['locked-reason'] ? ` (${String(attributes['locked-reason'])})` : '';
  return printable(`${kind}${name}${age}${reason}`);
}

function nextStep({ relationships }: Resource): string {
  const holder = relationships?.['locked-by']?.data as { readonly type: string; readonly id: string } | undefined;
  if (holder?.type !== 'runs') return '--force to take it';
  return `the end of the run unlocks it: lockkeeper run confirm ${holder.id} or lockkeeper run discard ${holder.id}`;
}
