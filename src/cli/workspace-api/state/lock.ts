import { ask, type ConnectionOptions } from '../../connection/connection.ts';
import { CommandError } from '../../errors/command-error.ts';
import { linkedId, type Resource } from '../resource.ts';
import { dataOf } from '../workspace-requests.ts';

const REASON = 'lockkeeper state';
const LOCK_STAYS = 'The workspace is still locked. Repeat the command, or unlock it with `lockkeeper workspace unlock`';

/**
 * Does something while this user holds the lock of the workspace, and unlocks it afterwards. A lock that an earlier
 * command left counts as the command's own. Another lock stays: the server refuses the change if another user holds it.
 */
export async function withLock<T>(workspace: Resource, options: ConnectionOptions, work: () => Promise<T>): Promise<T> {
  const { id, attributes } = workspace;
  const isLocked = attributes.locked === true;
  if (isLocked && !(await isOwnLock(workspace, options))) return work();
  const act = (action: string, body?: object) =>
    ask(options, 'workspaces', 'POST', `/api/v2/workspaces/${id}/actions/${action}`, body);
  if (!isLocked) await act('lock', { reason: REASON });
  let result: T;
  try {
    result = await work();
  } catch (error) {
    const isUnlocked = await act('unlock').then(
      () => true,
      () => false,
    );
    throw isUnlocked || !(error instanceof CommandError)
      ? error
      : new CommandError(`${error.message}. ${LOCK_STAYS}`, error.exitCode);
  }
  await act('unlock');
  return result;
}

/** Returns whether an earlier command of this user locked the workspace. */
async function isOwnLock({ attributes, relationships }: Resource, options: ConnectionOptions): Promise<boolean> {
  if (attributes['locked-reason'] !== REASON) return false;
  const { body } = await ask(options, 'workspaces', 'GET', '/api/v2/account/details');
  return linkedId(relationships?.['locked-by']) === dataOf(body).id;
}
