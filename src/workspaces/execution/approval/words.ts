import type { ApprovalRule, RuleTeam } from './approval.ts';
import type { ApprovalState, RuleState } from './evaluation.ts';

/**
 * Returns which approvals are missing, as sentences without the last full stop; undefined if none are. Any user of the
 * organization may read the text, so it does not name secret teams.
 */
export function missingText({ rules }: Pick<ApprovalState, 'rules'>): string | undefined {
  const open = rules.filter(({ missing }) => missing > 0);
  return open.length === 0 ? undefined : open.map(sentenceOf).join('. ');
}

function sentenceOf({ rule, given }: RuleState): string {
  const has = `The approval rule "${rule.name}" has ${given.length} of ${rule.required} approvals`;
  const left = rule.teams.filter(({ exists }) => exists);
  return left.length === 0 ? `${has}. ${withoutTeams(rule)}` : `${has}. ${whoCan(rule, left)}`;
}

function whoCan({ requesterMayApprove }: ApprovalRule, teams: readonly RuleTeam[]): string {
  const who = `Members of ${teamNames(teams)} can approve`;
  return requesterMayApprove ? who : `${who}, but not the user who started the run`;
}

/** Returns why nobody can meet the rule any more, and who can help. */
export function withoutTeams({ workspaceId, teams }: ApprovalRule): string {
  const owner = workspaceId === null ? 'project' : 'workspace';
  const deleted = teams.length === 1 ? 'its team was deleted' : 'all its teams were deleted';
  return `No user can approve, because ${deleted}: ${teamNames(teams)}. An administrator of the ${owner} must name other teams in the rule or delete it`;
}

/** Returns the names of teams in one text, without those of secret teams. */
export function teamNames(teams: readonly RuleTeam[]): string {
  const known = teams.filter(({ secret }) => !secret).map(({ name }) => `team ${name}`);
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
