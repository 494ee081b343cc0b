import { ask, type ConnectionOptions } from '../../connection/connection.ts';
import type { Resource } from '../resource.ts';

/**
 * Does something while this user holds the lock of the workspace, and unlocks it afterwards. A lock that the user holds
 * already stays: the server refuses the change if another one holds it.
 */
export async function withLock<T>(
  { id, attributes }: Resource,
  options: ConnectionOptions,
  work: () => Promise<T>,
): Promise<T> {
  if (attributes.locked === true) return work();
  const act = (action: string, body?: object) =>
    ask(options, 'workspaces', 'POST', `/api/v2/workspaces/${id}/actions/${action}`, body);
  await act('lock', { reason: 'lockkeeper state' });
  try {
    return await work();
  } finally {
    await act('unlock');
  }
}
