import { useSuspenseQuery } from '@tanstack/react-query';
import { holderOf } from '../../components/lock/holder.ts';
import { sessionQuery } from '../../session/session.ts';
import type { WorkspaceAnswer } from '../../shell/workspace.ts';

/** Whether whoever is signed in may write states of a workspace, and why not just now. */
export function useWriting(answer: WorkspaceAnswer): { readonly may: boolean; readonly off: string | undefined } {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { locked, permissions } = answer.data.attributes;
  const holder = holderOf(answer.data, answer);
  const isOther = session.workspaces?.kind === 'user' && holder !== session.workspaces.name;
  const off = locked
    ? isOther && `${holder} holds the lock: only they may write a state`
    : 'Lock the workspace first: a state is written under its lock';
  return { may: permissions['can-create-state-versions'], off: off || undefined };
}
