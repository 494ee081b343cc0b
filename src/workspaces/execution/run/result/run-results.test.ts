import { expect, test } from 'vitest';
import { type Phase, type PhaseKind, type PhaseStatus, phaseAfter } from '../../lifecycle/phase.ts';
import { NEXT, RUN_STATUSES, type RunStatus } from '../../lifecycle/status.ts';
import { runResult } from './run-results.ts';

const phase = (kind: PhaseKind, status: PhaseStatus = 'pending'): Phase => ({
  ...{ id: kind, runId: 'run-1', kind, status, timestamps: {}, logBytes: 0, prefaceBytes: 0 },
  ...{ additions: 1, changes: 2, destructions: 3, imports: 0 },
});

/** Moves a run through statuses, and returns what a report shows: plan and apply. */
function shown(statuses: readonly RunStatus[], hasChanges = true): string {
  let phases = [phase('plan'), phase('apply')];
  const timestamps: Record<string, number> = {};
  for (const status of statuses) {
    phases = phases.map((one) => phaseAfter(one, status, 0));
    timestamps[status] = 1;
  }
  const status = statuses.at(-1) ?? 'pending';
  const { plan, apply } = runResult({ id: 'run-1', status, hasChanges, timestamps }, phases);
  return `${plan}, ${apply}`;
}

const PLANNED: RunStatus[] = ['pending', 'plan_queued', 'planning', 'planned'];
const APPLYING: RunStatus[] = [...PLANNED, 'confirmed', 'apply_queued', 'applying'];

test.each<[string, RunStatus[]]>([
  ['waiting, none', ['pending']],
  ['waiting, none', ['pending', 'plan_queued']],
  ['running, none', ['pending', 'plan_queued', 'planning']],
  ['changes, confirmation', PLANNED],
  ['running, none', [...PLANNED, 'post_plan_running']],
  ['running, none', [...PLANNED, 'post_plan_running', 'post_plan_awaiting_decision']],
  ['failed, none', [...PLANNED, 'post_plan_running', 'errored']],
  ['changes, confirmation', [...PLANNED, 'post_plan_running', 'post_plan_completed']],
  ['changes, confirmation', [...PLANNED, 'planned_and_saved']],
  ['changes, none', [...PLANNED, 'planned_and_finished']],
  ['changes, running', [...PLANNED, 'confirmed']],
  ['changes, running', [...PLANNED, 'confirmed', 'pre_apply_running']],
  ['changes, running', APPLYING],
  ['changes, running', [...APPLYING, 'post_apply_running']],
  ['changes, applied', [...APPLYING, 'applied']],
  ['changes, failed', [...APPLYING, 'errored']],
  ['changes, failed', [...PLANNED, 'confirmed', 'pre_apply_running', 'errored']],
  ['changes, canceled', [...APPLYING, 'canceled']],
  ['changes, canceled', [...APPLYING, 'force_canceled']],
  ['changes, discarded', [...PLANNED, 'discarded']],
  ['canceled, none', ['pending', 'discarded']],
  ['canceled, none', ['pending', 'plan_queued', 'canceled']],
  ['canceled, none', ['pending', 'plan_queued', 'planning', 'force_canceled']],
  ['failed, none', ['pending', 'plan_queued', 'planning', 'errored']],
  ['failed, none', ['pending', 'plan_queued', 'errored']],
])('%s: after %j', (expected, statuses) => expect(shown(statuses)).toBe(expected));

test('a plan without changes is applied by nobody', () => {
  expect(shown([...PLANNED, 'planned_and_finished'], false)).toBe('unchanged, none');
});

test('a status is shown as over if and only if nothing follows it', () => {
  const isOpen = (text: string) => /waiting|running|confirmation/.test(text);
  for (const status of RUN_STATUSES) {
    const path = NEXT[status].length === 0 && status !== 'assessed' ? [...PLANNED, status] : [status];
    const isOver = NEXT[status].length === 0 && status !== 'planned_and_saved';
    if (status !== 'assessing' && status !== 'assessed') expect(isOpen(shown(path)), status).toBe(!isOver);
  }
});
