import { isoTime } from '../../../lib/clock.ts';
import { linked, type Resource, toOne } from '../../jsonapi/document.ts';
import type { RuleTeam } from './approval.ts';
import type { ViewedApprovals } from './approvals.ts';
import type { RuleView } from './rules.ts';
import type { ApprovalList, ListedApproval } from './run-approvals.ts';
import { approvalSummary } from './run-document.ts';
import { withoutTeams } from './words.ts';

/** Returns the JSON:API resource of a rule. */
export function ruleResource(rule: RuleView): Resource {
  const { teams, readable } = rule;
  const left = teams.filter(({ exists }) => exists);
  return {
    id: rule.id,
    type: 'approval-rules',
    attributes: {
      'created-at': isoTime(rule.createdAt),
      name: rule.name,
      operations: rule.operations,
      'requester-may-approve': rule.requesterMayApprove,
      'required-approvals': rule.required,
      teams: teams.map((team) => teamOf(team, readable)),
      'updated-at': isoTime(rule.updatedAt),
      warning: left.length === 0 ? withoutTeams(rule) : null,
    },
    relationships: {
      project: toOne('projects', rule.projectId),
      teams: { data: left.map(({ id }) => ({ type: 'teams', id })) },
      workspace: toOne('workspaces', rule.workspaceId),
    },
    links: { self: `/api/v2/approval-rules/${rule.id}` },
  };
}

/** The name of a secret team is null for readers who may not see the team. */
function teamOf({ id, name, exists, secret }: RuleTeam, readable: ReadonlySet<string>) {
  return { id, name: (secret && !readable.has(id)) || name === '' ? null : name, exists };
}

/** Returns the document of the approvals of a run. `meta` has the rules in force, and what is missing. */
export function approvalsDocument({ run, approvals, state }: ApprovalList) {
  return {
    data: approvals.map(approvalResource),
    meta: { approvals: approvalSummary(run, state), rules: (state?.rules ?? []).map(ruleMeta) },
  };
}

function ruleMeta({ rule, given, missing }: ViewedApprovals['rules'][number]) {
  return {
    id: rule.id,
    name: rule.name,
    required: rule.required,
    given: given.length,
    missing,
    'requester-may-approve': rule.requesterMayApprove,
    'user-ids': given,
    'of-project': rule.projectId !== null,
    teams: rule.teams.map((team) => teamOf(team, NONE)),
  };
}

const NONE: ReadonlySet<string> = new Set();

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
