import { ask, type ConnectionOptions } from '../../connection/connection.ts';
import type { OrganizationOptions } from '../../connection/organization.ts';
import { CommandError } from '../../errors/command-error.ts';
import { EXIT } from '../../errors/exit-codes.ts';
import { isConfirmed } from '../../process/question.ts';
import { dataOf, workspacePath } from '../workspace-requests.ts';
import { fetchCommit } from './commit.ts';
import { conclude, FollowedRun, isOver } from './follow.ts';
import { waitHint } from './runs.ts';

/** Options of `run start`. */
export interface StartOptions extends OrganizationOptions {
  readonly vcsRef?: string;
  readonly upload?: string;
  readonly message?: string;
  readonly destroy?: true;
  readonly planOnly?: true;
  readonly autoApprove?: true;
}

/**
 * Starts a run of the latest configuration version, of a commit or of a folder, follows it, and asks for confirmation.
 * @throws CommandError if the commit cannot be fetched or the folder not be uploaded, or the run fails or is canceled
 */
export async function start(named: string, options: StartOptions): Promise<void> {
  const workspace = dataOf((await ask(options, 'workspaces', 'GET', workspacePath(named, options))).body);
  const attributes = {
    ...(options.message !== undefined && { message: options.message }),
    'is-destroy': options.destroy === true,
    'plan-only': options.planOnly === true,
    'auto-apply': options.autoApprove === true,
  };
  const configuration = await configurationOf(workspace.id, options);
  const relationships = {
    workspace: { data: { type: 'workspaces', id: workspace.id } },
    ...(configuration && { 'configuration-version': { data: { type: 'configuration-versions', id: configuration } } }),
  };
  const { body } = await ask(options, 'workspaces', 'POST', '/api/v2/runs', {
    data: { type: 'runs', attributes, relationships },
  });
  const { id } = dataOf(body);
  process.stderr.write(`Run ${id}\n`);
  await follow(id, options);
}

/** Returns the ID of the configuration version that the options name; undefined for the latest one. */
async function configurationOf(workspaceId: string, options: StartOptions): Promise<string | undefined> {
  const { vcsRef: ref, upload: folder, planOnly = false } = options;
  if (ref !== undefined) return fetchCommit(workspaceId, { ref, planOnly }, options);
  if (folder === undefined) return undefined;
  const { uploadFolder } = await import('./upload/upload-folder.ts');
  return uploadFolder(workspaceId, { folder, planOnly }, options);
}

/** Follows a run to its end, and asks for confirmation. @throws CommandError if the run fails or is canceled */
export async function follow(id: string, options: ConnectionOptions): Promise<void> {
  const followed = new FollowedRun(id, options);
  const planned = await followed.until((run) => isOver(run) || run.isConfirmable);
  if (!planned.isConfirmable) conclude(planned);
  else if (process.stdin.isTTY) {
    await decide(id, options);
    conclude(await followed.until(isOver));
  } else process.stdout.write(`\nThe plan is waiting for confirmation: lockkeeper run follow ${id}\n`);
}

async function decide(id: string, options: ConnectionOptions): Promise<void> {
  const isWanted = await isConfirmed('\nApply this plan?', waitHint(id));
  await ask(options, 'workspaces', 'POST', `/api/v2/runs/${id}/actions/${isWanted ? 'apply' : 'discard'}`, {});
  if (!isWanted) throw new CommandError('discarded: no changes were made', EXIT.failed);
}
