import { describe, expect, test } from 'vitest';
import type { ApplyProgress, PlanProgress, RunResult } from '../hooks/run-results.ts';
import { outcomeOfApplies, outcomeOfPlans, tallyOfApplies, tallyOfPlans } from './tally.ts';

function run(plan: PlanProgress, apply: ApplyProgress = 'none', counts = [0, 0, 0]): RunResult {
  const [add = 0, change = 0, destroy = 0] = counts;
  return { runId: 'run-1', plan, apply, add, change, destroy };
}
const times = (count: number, plan: PlanProgress) => Array.from({ length: count }, () => run(plan));
const plans = (runs: readonly RunResult[], refused = 0) => {
  const { state, words } = outcomeOfPlans(tallyOfPlans(runs, refused), runs);
  return `${state}: ${words}`;
};
const applies = (...progress: ApplyProgress[]) => {
  const { state, words } = outcomeOfApplies(tallyOfApplies(progress.map((apply) => run('changes', apply))));
  return `${state}: ${words}`;
};

describe('the words for plans', () => {
  test.each([
    ['waiting', 'pending: The plan is waiting'],
    ['running', 'running: The plan is running'],
    ['unchanged', 'success: No changes'],
    ['changes', 'success: Changes without resources'],
    ['failed', 'failure: The plan failed'],
    ['canceled', 'canceled: The plan was canceled'],
  ] as const)('of one plan that is %s', (plan, expected) => expect(plans([run(plan)])).toBe(expected));

  const [changes, same] = [times(3, 'changes'), times(34, 'unchanged')];
  test.each<[readonly RunResult[], number, string]>([
    [[run('changes', 'none', [1, 2, 3])], 0, 'success: Plan: 1 to add, 2 to change, 3 to destroy'],
    [[], 1, 'failure: The run could not start'],
    [[...changes, ...same], 0, 'success: 37 plans: 3 with changes, 34 without changes'],
    [changes, 0, 'success: 3 plans: 3 with changes'],
    [same, 0, 'success: 34 plans: 34 without changes'],
    [[...times(2, 'failed'), ...times(35, 'unchanged')], 0, 'failure: 2 of 37 failed'],
    [[...times(2, 'failed'), ...times(1, 'canceled')], 4, 'failure: 2 of 7 failed, 4 could not start, 1 canceled'],
    [[...times(1, 'canceled'), ...same], 0, 'canceled: 1 of 35 canceled'],
    [times(5, 'waiting'), 0, 'pending: 0 of 5 plans finished'],
    [[...times(5, 'waiting'), ...times(1, 'running')], 0, 'running: 0 of 6 plans finished'],
    [[...times(5, 'waiting'), ...times(1, 'failed')], 0, 'running: 1 of 6 plans finished, 1 failed'],
    [times(5, 'waiting'), 1, 'running: 1 of 6 plans finished, 1 could not start'],
  ])('of several plans (%#)', (runs, refused, expected) => expect(plans(runs, refused)).toBe(expected));
});

describe('the words for applies', () => {
  test('name the approvals that are missing', () => {
    const waiting = (approvals: number) => ({ ...run('changes', 'confirmation'), approvals });
    const words = (...runs: RunResult[]) => outcomeOfApplies(tallyOfApplies(runs)).words;
    expect(words(waiting(1))).toBe('The plan waits for 1 approval');
    expect(words(waiting(2), waiting(1), run('changes', 'applied'))).toBe(
      '2 of 3 wait for confirmation, 3 approvals missing',
    );
  });

  test.each<[ApplyProgress[], string]>([
    [['confirmation'], 'pending: The plan waits for confirmation'],
    [['running'], 'running: The apply is running'],
    [['applied'], 'success: Applied'],
    [['failed'], 'failure: The apply failed'],
    [['canceled'], 'canceled: The apply was canceled'],
    [['discarded'], 'canceled: The plan was discarded'],
    [['applied', 'applied'], 'success: 2 applied'],
    [['applied', 'confirmation'], 'pending: 1 of 2 wait for confirmation'],
    [['running', 'confirmation', 'failed'], 'running: 0 of 3 applied, 1 failed'],
    [['failed', 'confirmation'], 'pending: 1 of 2 wait for confirmation, 1 failed'],
    [['failed', 'applied', 'discarded'], 'failure: 1 of 3 failed, 1 discarded'],
    [['applied', 'discarded', 'canceled'], 'canceled: 1 of 3 canceled, 1 discarded'],
    [['applied', 'none'], 'success: Applied'],
  ])('of %j', (progress, expected) => expect(applies(...progress)).toBe(expected));
});
