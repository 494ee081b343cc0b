import type { Identifier } from '../../jsonapi/document.ts';
import type { Approval, ApprovalRule } from './approval.ts';
import { type Requester, refusalOfRequesters } from './requester.ts';

/** Facts about the start of a run that decide who its requester is. */
export interface Requested {
  readonly createdBy: Identifier;
  readonly createdByName: string;
  /** Requesters that were stored at the start. */
  readonly requesters?: readonly Requester[];
}

/** User who approves, as they are now. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly teamIds: readonly string[];
  readonly mayApply: boolean;
}

/** Rule with the approvals that it has. */
export interface RuleState {
  readonly rule: ApprovalRule;
  /** Ids of the users whose approvals count. */
  readonly given: readonly string[];
  /** Number of approvals that are still missing. */
  readonly missing: number;
}

/** Approval with its effect now. */
export interface EvaluatedApproval extends Approval {
  /** Why no rule counts it, as a sentence without its full stop; null if a rule does. */
  readonly refusal: string | null;
}

/** Approvals of a run against all rules in force. */
export interface ApprovalState {
  readonly rules: readonly RuleState[];
  readonly approvals: readonly EvaluatedApproval[];
  /** Sum over all rules. */
  readonly required: number;
  readonly given: number;
}

/**
 * Compares the approvals of a run with the rules in force. All rules must be met; one approval may count for several.
 * @param people users who approved, by id; without those who are deleted, suspended or in no team
 */
export function evaluate(
  run: Requested,
  rules: readonly ApprovalRule[],
  approvals: readonly Approval[],
  people: ReadonlyMap<string, Person>,
): ApprovalState {
  const standing = approvals.filter(({ revokedAt }) => revokedAt === null);
  const states = rules.map((rule) => {
    const given = standing
      .filter(({ userId }) => refusalOf(run, rule, people.get(userId)) === undefined)
      .map(({ userId }) => userId);
    return { rule, given, missing: Math.max(0, rule.required - given.length) };
  });
  return {
    rules: states,
    approvals: standing.map((approval) => ({
      ...approval,
      refusal: refusalOfAll(run, rules, people.get(approval.userId)) ?? null,
    })),
    required: states.reduce((sum, { rule }) => sum + rule.required, 0),
    given: states.reduce((sum, { rule, missing }) => sum + rule.required - missing, 0),
  };
}

/** Returns whether every rule has its approvals. */
export function isApproved({ rules }: Pick<ApprovalState, 'rules'>): boolean {
  return rules.every(({ missing }) => missing === 0);
}

const REFUSALS = {
  gone: 'The user is suspended, deleted or in no team of the organization',
  mayNotApply: 'The user may not apply runs of this workspace',
  noTeam: 'The user is in none of the teams that can approve',
} as const;

/**
 * Returns why an approval of this user would have no effect now, as a sentence without its full stop; undefined if a
 * rule needs it.
 * @param person the user as they are now; undefined if they are deleted, suspended or in no team
 */
export function refusalToApprove(
  run: Requested,
  { rules, approvals }: ApprovalState,
  person: Person | undefined,
  userId: string,
): string | undefined {
  if (approvals.some((approval) => approval.userId === userId)) return 'The user has approved the run already';
  const open = rules.filter(({ missing }) => missing > 0);
  if (open.length === 0) return 'The run has all approvals that it needs';
  return refusalOfAll(
    run,
    open.map(({ rule }) => rule),
    person,
  );
}

/** Returns why none of the rules counts the approval; undefined if one does. The nearest miss explains it. */
function refusalOfAll(run: Requested, rules: readonly ApprovalRule[], person: Person | undefined): string | undefined {
  const refusals = rules.map((rule) => refusalOf(run, rule, person));
  if (refusals.includes(undefined)) return undefined;
  return refusals.find((refusal) => refusal !== REFUSALS.noTeam) ?? REFUSALS.noTeam;
}

function refusalOf(run: Requested, rule: ApprovalRule, person: Person | undefined): string | undefined {
  if (person === undefined) return REFUSALS.gone;
  if (!person.mayApply) return REFUSALS.mayNotApply;
  if (!rule.teams.some(({ id, exists }) => exists && person.teamIds.includes(id))) return REFUSALS.noTeam;
  return rule.requesterMayApprove ? undefined : refusalOfRequester(run, person);
}

function refusalOfRequester(run: Requested, person: Person): string | undefined {
  const { requesters = [] } = run;
  // A triggered run has the creator of the run that triggered it, and the stored requesters say so.
  const isTriggered = requesters.some(({ part }) => part === 'trigger');
  const all = isTriggered ? [...requesters, ...creatorOf(run)] : [...creatorOf(run), ...requesters];
  return refusalOfRequesters(all, person);
}

/**
 * A run of a team's credential has no person, so each member of the team may be the requester. A run that the server
 * started for a commit has the name of its pusher.
 */
function creatorOf({ createdBy: { type, id }, createdByName }: Requested): Requester[] {
  if (type === 'users') return [{ part: 'start', type, id, members: null }];
  if (type === 'teams') return [{ part: 'start', type, id, members: [] }];
  const name = createdByName.toLowerCase();
  return name === '' ? [] : [{ part: 'commit', type: 'names', id: name, members: null }];
}
