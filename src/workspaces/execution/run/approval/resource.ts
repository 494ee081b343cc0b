import { Type } from 'typebox';
import { nullable } from '../../../jsonapi/schema.ts';
import { attribute, is, linkedToOne, resourceOf, time, toOne } from '../../../resource/index.ts';
import type { ViewedApprovals } from '../../approval/approvals.ts';
import type { RuleState } from '../../approval/evaluation.ts';
import { shownTeams, teamMember } from '../../approval/resource.ts';
import type { SeesTeam } from '../../approval/words.ts';
import type { RunView } from '../finder.ts';
import { isConfirmed } from './confirmation.ts';
import { canApprove } from './effects.ts';
import type { ApprovalList, ListedApproval } from './run-approvals.ts';

/** Schema of the attribute `approvals` of a run. */
export const shownApprovals = nullable(
  Type.Object({
    required: is.integer,
    given: is.integer,
    missing: is.textOrNull,
    confirmed: is.flag,
    'cannot-approve-because': is.textOrNull,
  }),
);

/** Schema of the `meta` of the approvals of a run. */
export const ApprovalsMeta = Type.Object({
  approvals: shownApprovals,
  rules: Type.Array(
    Type.Object({
      id: is.text,
      name: is.text,
      required: is.integer,
      given: is.integer,
      missing: is.integer,
      'requester-may-approve': is.flag,
      'user-ids': is.texts,
      'of-project': is.flag,
      teams: shownTeams,
    }),
  ),
});

/** The approval of a run by a user. */
export const RunApprovalResource = resourceOf<ListedApproval>()('run-approvals', {
  attributes: {
    comment: attribute(is.textOrNull, 'comment'),
    counts: attribute(nullable(Type.Boolean()), 'counts'),
    'counts-not-because': attribute(is.textOrNull, 'refusal'),
    'created-at': time('createdAt'),
    'user-name': attribute(is.text, 'userName'),
  },
  relationships: {
    run: linkedToOne('runs', 'runId'),
    user: toOne('users', 'userId'),
  },
});

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
    data: approvals.map(RunApprovalResource.document),
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
