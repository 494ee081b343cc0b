import type { Command } from 'commander';
import { addWorkspaceList } from './list.ts';
import { addWorkspaceLock } from './lock.ts';
import { addWorkspaceShow } from './show.ts';
import { addWorkspaceUnlock } from './unlock.ts';

/** `lockkeeper workspace`: what people do every day. */
export function addWorkspace(program: Command): void {
  const workspace = program.command('workspace').description('workspaces, and who holds their locks');
  addWorkspaceList(workspace);
  addWorkspaceShow(workspace);
  addWorkspaceLock(workspace);
  addWorkspaceUnlock(workspace);
}
