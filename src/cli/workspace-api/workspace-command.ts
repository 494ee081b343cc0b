import type { Command } from 'commander';
import { addWorkspaceCreate } from './workspace-create.ts';
import { addWorkspaceList } from './workspace-list.ts';
import { addWorkspaceLock } from './workspace-lock.ts';
import { addWorkspaceShow } from './workspace-show.ts';
import { addWorkspaceUnlock } from './workspace-unlock.ts';

/** Command `lockkeeper workspace`: creates, lists, shows, locks and unlocks workspaces. */
export function addWorkspace(program: Command): void {
  const workspace = program.command('workspace').description('Create, list, show, lock and unlock workspaces');
  addWorkspaceCreate(workspace);
  addWorkspaceList(workspace);
  addWorkspaceShow(workspace);
  addWorkspaceLock(workspace);
  addWorkspaceUnlock(workspace);
}
