import { expect, test } from 'vitest';
import { type Phase, type PhaseKind, phaseAfter } from './phase.ts';
import type { RunStatus } from './status.ts';

function phase(kind: PhaseKind): Phase {
  const counts = { additions: 0, changes: 0, destructions: 0, imports: 0 };
  return {
    id: 'plan-1',
    runId: 'run-1',
    kind,
    status: 'pending',
    timestamps: {},
    logBytes: 0,
    prefaceBytes: 0,
    ...counts,
  };
}

/** Returns a phase after its run has had these statuses, one for each millisecond. */
function through(kind: PhaseKind, statuses: readonly RunStatus[]): Phase {
  return statuses.reduce((before, status, index) => phaseAfter(before, status, index + 1), phase(kind));
}

test('the plan and the apply of an applied run', () => {
  const statuses: RunStatus[] = [
    'plan_queued',
    'planning',
    'planned',
    'confirmed',
    'apply_queued',
    'applying',
    'applied',
  ];
  expect(through('plan', statuses)).toMatchObject({
    status: 'finished',
    timestamps: { queued: 1, started: 2, finished: 3 },
  });
  expect(through('apply', statuses)).toMatchObject({
    status: 'finished',
    timestamps: { queued: 5, started: 6, finished: 7 },
  });
});

test.each([
  [['plan_queued', 'planning', 'errored'], 'errored', 'unreachable'],
  [['plan_queued', 'planning', 'planned', 'discarded'], 'finished', 'unreachable'],
  [['plan_queued', 'planning', 'planned', 'planned_and_finished'], 'finished', 'unreachable'],
  [['plan_queued', 'planning', 'planned_and_saved'], 'finished', 'pending'],
  [['canceled'], 'unreachable', 'unreachable'],
  [['discarded'], 'unreachable', 'unreachable'],
  [['plan_queued', 'canceled'], 'canceled', 'unreachable'],
  [['plan_queued', 'planning', 'cost_estimating', 'errored'], 'finished', 'unreachable'],
  [['plan_queued', 'planning', 'planned', 'confirmed', 'apply_queued', 'applying', 'errored'], 'finished', 'errored'],
  [['plan_queued', 'planning', 'planned', 'confirmed', 'apply_queued', 'canceled'], 'finished', 'canceled'],
] as const)('after %j the plan is %s and the apply %s', (statuses, plan, apply) => {
  expect(through('plan', statuses).status).toBe(plan);
  expect(through('apply', statuses).status).toBe(apply);
});

test('an interrupted phase has its own status', () => {
  const broken = through('plan', ['plan_queued', 'planning', 'force_canceled']);
  expect(broken.timestamps).toEqual({ queued: 1, started: 2, canceled: 3, 'force-canceled': 3 });
});
