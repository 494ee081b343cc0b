import type { ViewedApprovals } from '../../approval/approvals.ts';
import { isApproved } from '../../approval/evaluation.ts';
import { awaitedText } from '../../approval/words.ts';
import { allows, isReady } from '../../lifecycle/status.ts';
import type { RunView } from '../finder.ts';
import { isConfirmed } from './confirmation.ts';

/**
 * Returns whether a confirmation of the reader has an effect: it confirms the run, is stored until the approvals are
 * there, or is the reader's approval. `tofu apply` asks its user only if this is true, and takes false as the
 * confirmation of another user.
 */
export function isConfirmable(run: RunView, approvals: ViewedApprovals | undefined): boolean {
  const { status, parameters, canceledAt } = run;
  if (!allows('apply', status) || parameters['plan-only'] || canceledAt !== null) return false;
  if (approvals === undefined || isApproved(approvals) || !isConfirmed(run)) return true;
  return approvals.viewerRefusal === undefined;
}

/** Returns whether an approval of the reader has an effect. */
export function canApprove(run: RunView, approvals: ViewedApprovals | undefined): boolean {
  const waits = allows('apply', run.status) && run.canceledAt === null;
  return waits && run.permissions.apply && approvals !== undefined && approvals.viewerRefusal === undefined;
}

/** Returns which approvals a confirmed run waits for; null if it waits for a confirmation or for nothing. */
export function awaitedApprovals(run: RunView, approvals: ViewedApprovals | undefined): string | null {
  if (approvals === undefined || run.canceledAt !== null || !isReady(run.status) || !isConfirmed(run)) return null;
  return awaitedText(approvals, approvals.sees);
}
