import { describe, expect, test } from 'vitest';
import type { Approval, ApprovalRule } from './approval.ts';
import { evaluate, isApproved, type Person, refusalToApprove } from './evaluation.ts';
import type { Requester } from './requester.ts';
import { missingText } from './words.ts';

const RULE: ApprovalRule = {
  ...{ id: 'apr-1', organizationId: 'org-1', projectId: null, workspaceId: 'ws-1', name: 'production', required: 1 },
  ...{ requesterMayApprove: false, operations: 'all', createdAt: 0, updatedAt: 0 },
  teams: [{ id: 'team-1', name: 'sre', exists: true, secret: false }],
};
const RUN = { createdBy: { type: 'users', id: 'user-ada' }, createdByName: 'ada' };
const person = (name: string, teamIds: readonly string[] = ['team-1'], mayApply = true): Person => ({
  ...{ id: `user-${name}`, name, teamIds, mayApply },
});
const approvalOf = ({ id, name }: Person, more: Partial<Approval> = {}): Approval => ({
  ...{ id: `rap-${name}`, runId: 'run-1', userId: id, userName: name, commentId: null, times: 1, createdAt: 0 },
  ...{ revokedAt: null, ...more },
});
const evaluated = (
  rules: readonly ApprovalRule[],
  people: readonly Person[],
  run = RUN,
  gone: readonly Person[] = [],
) =>
  evaluate(
    run,
    rules,
    [...people, ...gone].map((one) => approvalOf(one)),
    new Map(people.map((one) => [one.id, one])),
  );

describe('an approval counts', () => {
  test('for each rule that names a team of its user', () => {
    const other = { ...RULE, id: 'apr-2', name: 'network', teams: [{ ...RULE.teams[0], id: 'team-2' }] };
    const both = evaluated([RULE, other as ApprovalRule], [person('bo', ['team-1', 'team-2'])]);
    expect([isApproved(both), both.given, both.required]).toEqual([true, 2, 2]);
    const one = evaluated([RULE, other as ApprovalRule], [person('bo')]);
    expect([isApproved(one), one.given, one.required]).toEqual([false, 1, 2]);
    expect(one.approvals[0]?.refusal).toBeNull();
  });

  test('at most as often as its rule requires', () => {
    const state = evaluated([RULE], [person('bo'), person('cy')]);
    expect([state.given, state.required]).toEqual([1, 1]);
  });

  test('not without its user, the permission, or the team', () => {
    const gone = evaluated([RULE], [], RUN, [person('bo')]);
    expect(gone.approvals[0]?.refusal).toContain('suspended, deleted or in no team');
    expect(evaluated([RULE], [person('bo', ['team-1'], false)]).approvals[0]?.refusal).toContain('may not apply');
    expect(evaluated([RULE], [person('bo', ['team-9'])]).approvals[0]?.refusal).toContain('none of the teams');
  });

  test('not for a team that is deleted, although its former members are known', () => {
    const orphan = { ...RULE, teams: RULE.teams.map((team) => ({ ...team, exists: false })) };
    expect(isApproved(evaluated([orphan], [person('bo')]))).toBe(false);
  });

  test('not if it was revoked', () => {
    const bo = person('bo');
    const state = evaluate(RUN, [RULE], [approvalOf(bo, { revokedAt: 1 })], new Map([[bo.id, bo]]));
    expect([state.given, state.approvals]).toEqual([0, []]);
  });
});

describe('the requester', () => {
  const may = { ...RULE, requesterMayApprove: true };
  test('is the user who started the run', () => {
    expect(isApproved(evaluated([RULE], [person('ada')]))).toBe(false);
    expect(isApproved(evaluated([may], [person('ada')]))).toBe(true);
  });

  test('is any member of the team whose token started the run', () => {
    const run = { createdBy: { type: 'teams', id: 'team-ci' }, createdByName: 'runner-1' };
    expect(isApproved(evaluated([RULE], [person('bo', ['team-1', 'team-ci'])], run))).toBe(false);
    expect(isApproved(evaluated([may], [person('bo', ['team-1', 'team-ci'])], run))).toBe(true);
    expect(isApproved(evaluated([RULE], [person('bo')], run))).toBe(true);
  });

  test('of a commit is the user with the name of the pusher', () => {
    const run = { createdBy: { type: 'workspaces', id: 'ws-1' }, createdByName: 'Bo' };
    expect(isApproved(evaluated([RULE], [person('bo')], run))).toBe(false);
    expect(isApproved(evaluated([RULE], [person('cy')], run))).toBe(true);
    expect(isApproved(evaluated([RULE], [person('bo')], { ...run, createdByName: '' }))).toBe(true);
  });
});

describe('a stored requester', () => {
  const refusalOf = (requester: Omit<Requester, 'part'>, one: Person, part: Requester['part'] = 'schedule') => {
    const run = { ...RUN, requesters: [{ ...requester, part }] };
    return refusalToApprove(run, evaluated([RULE], [], run), one, one.id);
  };

  test('of a team is each user who was in it at the start, and each who is in it now', () => {
    const ofTeam = { type: 'teams', id: 'team-ci', members: ['user-bo'] } as const;
    expect(refusalOf(ofTeam, person('bo'))).toContain('A token of a team last changed the schedule');
    expect(refusalOf(ofTeam, person('cy', ['team-1', 'team-ci']))).toContain('A token of a team last changed');
    expect(refusalOf(ofTeam, person('cy'))).toBeUndefined();
  });

  test('of a team with too many members leaves nobody who can approve', () => {
    const ofTeam = { type: 'teams', id: 'team-all', members: null } as const;
    expect(refusalOf(ofTeam, person('cy'))).toContain('too many members to know who did. No approval counts');
  });

  test.each<[Requester['part'], string]>([
    ['start', 'Start the run again as a user'],
    ['configuration', 'Create the configuration version again as a user'],
    ['auto_destroy', 'Save the auto-destroy setting again with a change as a user'],
  ])('of an unknown person gets the advice for %s', (part, advice) => {
    const ofTeam = { type: 'teams', id: 'team-all', members: null } as const;
    const ofToken = { type: 'organization', id: 'user-service', members: null } as const;
    expect(refusalOf(ofTeam, person('cy'), part)).toContain(advice);
    expect(refusalOf(ofToken, person('cy'), part)).toContain(advice);
  });

  test('is found by the name of the pusher of the configuration, in any case', () => {
    const pusher = { type: 'names', id: 'bo', members: null } as const;
    expect(refusalOf(pusher, { ...person('bo'), name: 'Bo' }, 'commit')).toContain('pushed the commit of the run');
    expect(refusalOf(pusher, person('cy'), 'commit')).toBeUndefined();
  });
});

test('an approval without effect is refused with its reason', () => {
  const refusal = (people: readonly Person[], one: Person | undefined) =>
    refusalToApprove(RUN, evaluated([{ ...RULE, required: 2 }], people), one, one?.id ?? 'user-gone');
  expect(refusal([], person('bo'))).toBeUndefined();
  expect(refusal([person('bo')], person('bo'))).toContain('approved the run already');
  expect(refusal([person('bo'), person('cy')], person('di'))).toContain('all approvals');
  expect(refusal([], person('ada'))).toContain('started the run');
  expect(refusal([], undefined)).toContain('suspended');
});

test('the text about missing approvals names only teams that its reader may see', () => {
  const teams = [...RULE.teams, { id: 'team-2', name: 'hidden', exists: true, secret: true }];
  const state = evaluated([{ ...RULE, teams }], []);
  expect(missingText(state, ({ secret }) => !secret)).toBe(
    'The approval rule "production" has 0 of 1 approvals. Members of team sre or a secret team can approve, but not the requester of the run',
  );
  expect(missingText(state, () => true)).toContain('team hidden or team sre');
  expect(missingText(evaluated([RULE], [person('bo')]), () => true)).toBeUndefined();
});
