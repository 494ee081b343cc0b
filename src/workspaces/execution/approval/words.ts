import type { ApprovalRule, RuleTeam } from './approval.ts';
import type { ApprovalState, RuleState } from './evaluation.ts';

/** Returns whether the reader of a text may see a team. */
export type SeesTeam = (team: RuleTeam) => boolean;

/** Returns which approvals are missing, as sentences without the last full stop; undefined if none are. */
export function missingText({ rules }: Pick<ApprovalState, 'rules'>, sees: SeesTeam): string | undefined {
  const open = rules.filter(({ missing }) => missing > 0);
  return open.length === 0 ? undefined : open.map((state) => sentenceOf(state, sees)).join('. ');
}

/** Returns what a confirmed run waits for: `1 approval is missing: rule "production", members of team security`. */
export function awaitedText({ rules }: Pick<ApprovalState, 'rules'>, sees: SeesTeam): string | null {
  const open = rules.filter(({ missing }) => missing > 0);
  const parts = open.map(({ rule, missing }) => {
    const left = rule.teams.filter(({ exists }) => exists);
    const who = left.length === 0 ? 'all its teams were deleted' : `members of ${teamNames(left, sees)}`;
    const count = missing === 1 ? '1 approval is missing' : `${missing} approvals are missing`;
    return `${count}: rule "${rule.name}", ${who}`;
  });
  return parts.length === 0 ? null : parts.join('; ');
}

function sentenceOf({ rule, given }: RuleState, sees: SeesTeam): string {
  const has = `The approval rule "${rule.name}" has ${given.length} of ${rule.required} approvals`;
  const left = rule.teams.filter(({ exists }) => exists);
  return left.length === 0 ? `${has}. ${withoutTeams(rule, sees)}` : `${has}. ${whoCan(rule, left, sees)}`;
}

function whoCan({ requesterMayApprove }: ApprovalRule, teams: readonly RuleTeam[], sees: SeesTeam): string {
  const who = `Members of ${teamNames(teams, sees)} can approve`;
  return requesterMayApprove ? who : `${who}, but not the requester of the run`;
}

/** Returns why nobody can meet the rule any more, and who can help. */
export function withoutTeams({ workspaceId, teams }: ApprovalRule, sees: SeesTeam): string {
  const owner = workspaceId === null ? 'project' : 'workspace';
  const deleted = teams.length === 1 ? 'its team was deleted' : 'all its teams were deleted';
  return `No user can approve, because ${deleted}: ${teamNames(teams, sees)}. An administrator of the ${owner} must name other teams in the rule or delete it`;
}

/** Returns the names of teams in one text, without those that the reader may not see. */
function teamNames(teams: readonly RuleTeam[], sees: SeesTeam): string {
  const known = teams.filter(sees).map(({ name }) => `team ${name}`);
  const secret = teams.length - known.length;
  const words = [
    ...known.toSorted(),
    ...(secret === 0 ? [] : [secret === 1 ? 'a secret team' : `${secret} secret teams`]),
  ];
  return words.length <= 1 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** Returns how many approvals a run has, `1 of 2 approvals`. */
export function countText({ given, required }: Pick<ApprovalState, 'given' | 'required'>): string {
  return `${given} of ${required} approvals`;
}
