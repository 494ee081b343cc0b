import { executionOf, type Workspace } from '../../workspace/index.ts';
import type { Candidate } from './decide.ts';

/** Facts about a workspace and a commit. */
export type Facts = Pick<Candidate, 'hasRun' | 'ranCommit' | 'isApproved' | 'isWithdrawn'>;

/** Returns an existing workspace as the rules need it. */
export function candidateOf(
  workspace: Pick<Workspace, 'settings' | 'inherited' | 'lock'>,
  { hasRun, ranCommit, isApproved, isWithdrawn }: Facts,
): Candidate {
  return {
    settings: workspace.settings,
    executionMode: executionOf(workspace).mode,
    isDeleted: false,
    isLocked: workspace.lock !== null,
    ...{ hasRun, ranCommit, isApproved, isWithdrawn },
  };
}
