import { describe, expect, test } from 'vitest';
import type { RunResult } from '../hooks/run-results.ts';
import { wantedStatuses } from './commit-statuses.ts';
import { type CommitFacts, type ReportedEvent, type ReportedWorkspace, reportLinks } from './facts.ts';

const LINKS = reportLinks('https://keeper.example.com', 'acme', '');
const AGGREGATED = {
  'aggregated-commit-status-enabled': true,
  'send-passing-statuses-for-untriggered-speculative-plans': false,
  'pull-request-comments': false,
};
const OWN = { ...AGGREGATED, 'aggregated-commit-status-enabled': false };
const PULL: ReportedEvent = {
  ...{ id: 've-2', kind: 'pull', ref: 'feature', state: 'done', createdAt: 0 },
  pull: { number: 1, baseRef: 'main', isFork: false },
};
const PUSH: ReportedEvent = { ...PULL, id: 've-1', kind: 'push', ref: 'main', pull: null };

const run = (index: number, result: Partial<RunResult> = {}): RunResult => ({
  ...{ runId: `run-${index}`, plan: 'unchanged', apply: 'none', add: 0, change: 0, destroy: 0, ...result },
});
const workspaces = (count: number): ReportedWorkspace[] =>
  Array.from({ length: count }, (_, index) => ({ name: `w-${index}`, runs: [run(index)], code: null, isTarget: true }));

function statuses(facts: Partial<CommitFacts>, settings = AGGREGATED) {
  const whole = { organizationName: 'acme', events: [PULL], workspaces: [], isFollowed: true, ...facts };
  const { statuses: wanted, isFinal } = wantedStatuses(whole, settings, 'lockkeeper/acme', LINKS);
  const texts = wanted.map(({ context, state, description }) => `${context}: ${state}, ${description}`);
  return { texts, isFinal, urls: wanted.map(({ url }) => url) };
}

describe('the statuses of a commit', () => {
  test('are one for an organization, however many workspaces it has', () => {
    expect(statuses({ workspaces: workspaces(500) })).toEqual({
      texts: ['lockkeeper/acme: success, 500 plans: 500 without changes'],
      isFinal: true,
      urls: ['https://keeper.example.com/app/acme/vcs-events/ve-2'],
    });
  });

  test('are one for each workspace up to 50, and one for all above that', () => {
    expect(statuses({ workspaces: workspaces(50) }, OWN).texts).toHaveLength(50);
    expect(statuses({ workspaces: workspaces(51) }, OWN).texts).toHaveLength(1);
    expect(statuses({ workspaces: workspaces(0) }, OWN).texts).toEqual([]);
  });

  test('are one for all if names of workspaces differ in case only', () => {
    const [one, two] = workspaces(2) as [ReportedWorkspace, ReportedWorkspace];
    expect(statuses({ workspaces: [one, { ...two, name: 'W-0' }] }, OWN).texts).toHaveLength(1);
  });

  test.each<[string, Partial<CommitFacts>, string[], boolean]>([
    ['a push whose verdicts are missing', { events: [{ ...PUSH, state: 'waiting' }] }, [], false],
    ['a push that started no run', { events: [PUSH] }, [], true],
    [
      'a failed event of a branch that nobody follows',
      { events: [{ ...PUSH, state: 'failed' }], isFollowed: false },
      [],
      true,
    ],
    [
      'a push of a commit whose pull request was planned before',
      { events: [{ ...PUSH, state: 'waiting' }, PULL], workspaces: workspaces(1) },
      ['lockkeeper/acme: pending, Checking which workspaces the change concerns'],
      false,
    ],
    [
      'runs that are over although another event failed',
      { events: [{ ...PUSH, state: 'failed' }, PULL], workspaces: workspaces(1) },
      ['lockkeeper/acme: error, The server could not read this commit. Open the details'],
      true,
    ],
  ])('of %s', (_name, facts, expected, isFinal) => {
    const { texts, isFinal: is } = statuses(facts);
    expect({ texts, is }).toEqual({ texts: expected, is: isFinal });
  });

  test('of a plan and an apply lead to the run of each', () => {
    const both = [run(1), run(2, { plan: 'changes', apply: 'applied', add: 1 })];
    const { texts, urls } = statuses({
      events: [PUSH, PULL],
      workspaces: [{ name: 'net', runs: both, code: null, isTarget: true }],
    });
    expect(texts).toEqual([
      'lockkeeper/acme: success, 2 plans: 1 with changes, 1 without changes',
      'lockkeeper/acme/apply: success, Applied',
    ]);
    const page = 'https://keeper.example.com/app/acme';
    expect(urls).toEqual([`${page}/vcs-events/ve-1`, `${page}/net/runs/run-2`]);
  });

  test('stay unfinished while an apply waits for a user', () => {
    const [workspace] = workspaces(1) as [ReportedWorkspace];
    const waiting = { ...workspace, runs: [run(1, { plan: 'changes', apply: 'confirmation', change: 1 })] };
    expect(statuses({ events: [PUSH], workspaces: [waiting] }).isFinal).toBe(false);
  });
});
