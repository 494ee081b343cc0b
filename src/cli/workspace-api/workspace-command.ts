import type { Command } from 'commander';
import { addWorkspaceList } from './workspace-list.ts';
import { addWorkspaceLock } from './workspace-lock.ts';
import { addWorkspaceShow } from './workspace-show.ts';
import { addWorkspaceUnlock } from './workspace-unlock.ts';

/** `lockkeeper workspace`: what people do every day. */
export function addWorkspace(program: Command): void {
  const workspace = program.command('workspace').description('workspaces, and who holds their locks');
  addWorkspaceList(workspace);
  addWorkspaceShow(workspace);
  addWorkspaceLock(workspace);
  addWorkspaceUnlock(workspace);
}
