import { useSuspenseQuery } from '@tanstack/react-query';
import { holderOf } from '../../components/lock/holder.ts';
import { sessionQuery } from '../../session/session.ts';
import type { WorkspaceAnswer } from '../../shell/workspace.ts';
import * as texts from './texts.ts';

/**
 * Returns whether the user has permission to write states of a workspace, and the reason why writing is unavailable
 * now.
 */
export function useWriting(answer: WorkspaceAnswer): { readonly may: boolean; readonly off: string | undefined } {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { locked, permissions } = answer.data.attributes;
  const holder = holderOf(answer.data, answer);
  const isOther = session.workspaces?.kind === 'user' && holder !== session.workspaces.name;
  const off = locked ? isOther && texts.holdsTheLockOnly(holder) : texts.lockTheWorkspaceFirst;
  return { may: permissions['can-create-state-versions'], off: off || undefined };
}
