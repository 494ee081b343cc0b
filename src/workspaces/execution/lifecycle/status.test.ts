import { expect, test } from 'vitest';
import { ACTIONS, allows, FINAL, isFinal, leadsTo, NEXT, READY, RUN_STATUSES, STATUS_GROUPS } from './status.ts';

test('every transition leads to an existing status', () => {
  for (const status of RUN_STATUSES) {
    for (const next of NEXT[status]) expect(RUN_STATUSES, `${status} to ${next}`).toContain(next);
  }
});

test('a finished run stays finished', () => {
  expect(FINAL.toSorted()).toEqual(
    ['applied', 'assessed', 'canceled', 'discarded', 'errored', 'force_canceled', 'planned_and_finished'].toSorted(),
  );
  for (const status of FINAL) {
    for (const next of RUN_STATUSES) expect(leadsTo(status, next), `${status} to ${next}`).toBe(false);
    for (const action of ['apply', 'discard', 'cancel'] as const) expect(allows(action, status)).toBe(false);
  }
});

test('a run can end from every status', () => {
  const ends = new Set(FINAL);
  const reachable = (status: (typeof RUN_STATUSES)[number]): boolean => {
    const seen = new Set([status]);
    for (const one of seen) {
      if (ends.has(one)) return true;
      for (const next of NEXT[one]) seen.add(next);
      if (allows('discard', one) || allows('cancel', one)) return true;
    }
    return false;
  };
  for (const status of RUN_STATUSES) expect(reachable(status), status).toBe(true);
});

test.each([
  ['pending', 'planning'],
  ['plan_queued', 'planned'],
  ['planning', 'applied'],
  ['planned', 'applying'],
  ['planned', 'confirmed'],
  ['confirmed', 'applying'],
  ['apply_queued', 'applied'],
  ['applying', 'planned'],
  ['applying', 'discarded'],
  ['planned_and_saved', 'applied'],
] as const)('a run cannot change from %s to %s', (from, to) => {
  expect(leadsTo(from, to)).toBe(false);
});

test.each([
  ['plan_queued', 'planning'],
  ['planning', 'planned'],
  ['planning', 'errored'],
  ['planned', 'cost_estimating'],
  ['policy_override', 'policy_checked'],
  ['apply_queued', 'applying'],
  ['applying', 'applied'],
] as const)('an executing program moves a run from %s to %s', (from, to) => {
  expect(leadsTo(from, to)).toBe(true);
});

test('a run that waits for a decision can be confirmed and discarded, but not canceled', () => {
  for (const status of READY) {
    expect(allows('apply', status)).toBe(true);
    expect(allows('discard', status)).toBe(true);
    expect(allows('cancel', status)).toBe(false);
  }
  expect(allows('discard', 'pending') && allows('cancel', 'pending')).toBe(true);
  expect(allows('apply', 'pending')).toBe(false);
  expect(allows('apply', 'policy_override')).toBe(false);
});

test('the status groups cover every status once', () => {
  const { final = [], non_final: rest = [] } = STATUS_GROUPS;
  expect([...final, ...rest].toSorted()).toEqual(RUN_STATUSES.toSorted());
  expect(rest.some(isFinal)).toBe(false);
  expect(STATUS_GROUPS.discardable).toEqual(ACTIONS.discard);
});
