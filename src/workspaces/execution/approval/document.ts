import { isoTime } from '../../../lib/clock.ts';
import { type Resource, toOne } from '../../jsonapi/document.ts';
import type { RuleTeam } from './approval.ts';
import type { RuleView } from './rules.ts';
import { type SeesTeam, withoutTeams } from './words.ts';

/** Returns the JSON:API resource of a rule. */
export function ruleResource(rule: RuleView): Resource {
  const { teams, readable } = rule;
  const sees = ({ id, secret }: RuleTeam) => !secret || readable.has(id);
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
      teams: teams.map((team) => teamMember(team, sees)),
      'updated-at': isoTime(rule.updatedAt),
      warning: left.length === 0 ? withoutTeams(rule, sees) : null,
    },
    relationships: {
      project: toOne('projects', rule.projectId),
      teams: { data: left.map(({ id }) => ({ type: 'teams', id })) },
      workspace: toOne('workspaces', rule.workspaceId),
    },
    links: { self: `/api/v2/approval-rules/${rule.id}` },
  };
}

/** Describes a team of a rule. The name is null for readers who may not see the team. */
export function teamMember(team: RuleTeam, sees: SeesTeam) {
  return { id: team.id, name: sees(team) ? team.name : null, exists: team.exists };
}
