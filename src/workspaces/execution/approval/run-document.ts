import { allows } from '../lifecycle/status.ts';
import type { RunView } from '../run/finder.ts';
import type { ViewedApprovals } from './approvals.ts';
import { isConfirmed } from './confirmation.ts';
import { isApproved } from './evaluation.ts';
import { missingText } from './words.ts';

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

/** Returns the attribute `approvals` of a run; null if no rule applies to it, or its apply has started. */
export function approvalSummary(run: RunView, approvals: ViewedApprovals | undefined) {
  if (approvals === undefined) return null;
  const { required, given, viewerRefusal } = approvals;
  return {
    required,
    given,
    missing: missingText(approvals) ?? null,
    // Whether the last approval starts the apply.
    confirmed: isConfirmed(run),
    'cannot-approve-because': canApprove(run, approvals) ? null : (viewerRefusal ?? null),
  };
}
