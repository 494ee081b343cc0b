import { isoTime } from '../../../../lib/clock.ts';
import { linked, type Resource, toOne } from '../../../jsonapi/document.ts';
import type { ViewedApprovals } from '../../approval/approvals.ts';
import { teamMember } from '../../approval/document.ts';
import { isApproved, type RuleState } from '../../approval/evaluation.ts';
import { awaitedText, type SeesTeam } from '../../approval/words.ts';
import { allows, isReady } from '../../lifecycle/status.ts';
import type { RunView } from '../finder.ts';
import { isConfirmed } from './confirmation.ts';
import type { ApprovalList, ListedApproval } from './run-approvals.ts';

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

/** Returns the attribute `approvals` of a run; null if no rule applies to it, or its apply has started. */
export function approvalSummary(run: RunView, approvals: ViewedApprovals | undefined) {
  if (approvals === undefined) return null;
  const { required, given, missing, viewerRefusal } = approvals;
  return {
    required,
    given,
    missing: missing ?? null,
    // Whether the last approval starts the apply.
    confirmed: isConfirmed(run),
    'cannot-approve-because': canApprove(run, approvals) ? null : (viewerRefusal ?? null),
  };
}

/** Returns the document of the approvals of a run. `meta` has the rules in force, and what is missing. */
export function approvalsDocument({ run, approvals, state }: ApprovalList) {
  return {
    data: approvals.map(approvalResource),
    meta: {
      approvals: approvalSummary(run, state),
      rules: state === undefined ? [] : state.rules.map((one) => ruleMeta(one, state.sees)),
    },
  };
}

function ruleMeta({ rule, given, missing }: RuleState, sees: SeesTeam) {
  return {
    id: rule.id,
    name: rule.name,
    required: rule.required,
    given: given.length,
    missing,
    'requester-may-approve': rule.requesterMayApprove,
    'user-ids': given,
    'of-project': rule.projectId !== null,
    teams: rule.teams.map((team) => teamMember(team, sees)),
  };
}

function approvalResource(approval: ListedApproval): Resource {
  return {
    id: approval.id,
    type: 'run-approvals',
    attributes: {
      comment: approval.comment,
      counts: approval.counts,
      'counts-not-because': approval.refusal,
      'created-at': isoTime(approval.createdAt),
      'user-name': approval.userName,
    },
    relationships: {
      run: { ...toOne('runs', approval.runId), ...linked(`/api/v2/runs/${approval.runId}`) },
      user: toOne('users', approval.userId),
    },
  };
}
