import { Type } from 'typebox';
import { text } from '../../jsonapi/schema.ts';
import { attribute, is, optional, required, resourceOf, time, toMany, toOne } from '../../resource/index.ts';
import { RULE_OPERATIONS, type RuleTeam } from './approval.ts';
import { MAX_REQUIRED, type RuleView } from './rules.ts';
import { type SeesTeam, withoutTeams } from './words.ts';

const operations = Type.Enum([...RULE_OPERATIONS]);

/** Schema of the teams of a rule. */
export const shownTeams = Type.Array(Type.Object({ id: is.text, name: is.textOrNull, exists: is.flag }));

/** Describes a team of a rule. The name is null for readers who may not see the team. */
export function teamMember(team: RuleTeam, sees: SeesTeam) {
  return { id: team.id, name: sees(team) ? team.name : null, exists: team.exists };
}

/** An approval rule. */
export const ApprovalRuleResource = resourceOf<RuleView>()('approval-rules', {
  attributes: {
    'created-at': time('createdAt'),
    name: attribute(is.text, 'name', required(text(400))),
    operations: attribute(operations, 'operations', optional(operations)),
    'requester-may-approve': attribute(is.flag, 'requesterMayApprove', optional(Type.Boolean())),
    'required-approvals': attribute(
      is.integer,
      'required',
      optional(Type.Integer({ minimum: 1, maximum: MAX_REQUIRED })),
    ),
    teams: attribute(shownTeams, (rule) => rule.teams.map((team) => teamMember(team, seenBy(rule)))),
    'updated-at': time('updatedAt'),
    warning: attribute(is.textOrNull, (rule) =>
      existing(rule).length === 0 ? withoutTeams(rule, seenBy(rule)) : null,
    ),
  },
  relationships: {
    project: toOne('projects', 'projectId'),
    teams: toMany('teams', (rule) => existing(rule).map(({ id }) => id)),
    workspace: toOne('workspaces', 'workspaceId'),
  },
  links: ({ id }) => ({ self: `/api/v2/approval-rules/${id}` }),
});

function existing({ teams }: RuleView): RuleTeam[] {
  return teams.filter(({ exists }) => exists);
}

/** Returns which teams the reader of the rule may see. */
function seenBy({ readable }: RuleView): SeesTeam {
  return ({ id, secret }) => !secret || readable.has(id);
}
