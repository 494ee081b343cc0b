import type { Command } from 'commander';
import { addWorkspaceCreate } from './create.ts';
import { addWorkspaceDelete } from './delete.ts';
import { addWorkspaceList } from './list.ts';
import { addWorkspaceLock, addWorkspaceUnlock } from './lock.ts';
import { addWorkspaceSet } from './set.ts';
import { addWorkspaceShow } from './show.ts';

/** Command `lockkeeper workspace`: creates, changes, lists, shows, locks and deletes workspaces. */
export function addWorkspace(program: Command): void {
  const workspace = program.command('workspace').description('Create, change, list, lock and delete workspaces');
  addWorkspaceCreate(workspace);
  addWorkspaceList(workspace);
  addWorkspaceShow(workspace);
  addWorkspaceSet(workspace);
  addWorkspaceLock(workspace);
  addWorkspaceUnlock(workspace);
  addWorkspaceDelete(workspace);
}
