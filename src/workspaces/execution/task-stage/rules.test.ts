import { expect, test } from 'vitest';
import type { RunTask, WorkspaceTask } from '../run-task/run-task.ts';
import { questionsOf, stageAfterRun, verdictOf } from './rules.ts';
import type { TaskResult } from './task-stage.ts';

const task = (id: string, global: Partial<RunTask['global']> = {}): RunTask => ({
  ...{ id, organizationId: 'org-1', organizationName: 'acme', name: id, description: '', enabled: true },
  global: { enabled: false, stages: [], enforcementLevel: 'advisory', ...global },
  ...{ url: 'https://checks.example.com', hmacKey: null, origin: '', version: 1, createdAt: 0, updatedAt: 0 },
});
const own = (taskId: string, more: Partial<WorkspaceTask> = {}): WorkspaceTask => ({
  ...{ id: `wstask-${taskId}`, workspaceId: 'ws-1', taskId, createdAt: 0 },
  ...{ enforcementLevel: 'advisory', stages: ['post_plan'], ...more },
});

const asked = (tasks: RunTask[], attached: WorkspaceTask[]) =>
  Object.fromEntries(
    [...questionsOf(tasks, attached)].map(([stage, questions]) => [
      stage,
      questions.map(({ task: { id }, workspaceTaskId, enforcementLevel }) => [id, workspaceTaskId, enforcementLevel]),
    ]),
  );

test('requested tasks: of the workspace, of the organization, of both', () => {
  const everywhere = { enabled: true, stages: ['pre_plan', 'post_plan'], enforcementLevel: 'mandatory' } as const;
  expect(asked([task('a'), task('b')], [own('a')])).toEqual({ post_plan: [['a', 'wstask-a', 'advisory']] });
  expect(asked([task('a', everywhere), task('b')], [own('a'), own('b', { stages: ['pre_plan'] })])).toEqual({
    pre_plan: [
      ['a', null, 'mandatory'],
      ['b', 'wstask-b', 'advisory'],
    ],
    post_plan: [['a', 'wstask-a', 'mandatory']],
  });
  expect(asked([task('a', { ...everywhere, enabled: false })], [])).toEqual({});
  expect(asked([task('a')], [own('a', { stages: ['post_apply'], enforcementLevel: 'mandatory' })])).toEqual({
    post_apply: [['a', 'wstask-a', 'advisory']],
  });
});

test('a stage passes when all mandatory tasks have passed and all tasks have reported', () => {
  const verdict = (...said: [TaskResult['status'], TaskResult['enforcementLevel']][]) =>
    verdictOf(said.map(([status, enforcementLevel]) => ({ status, enforcementLevel }) as TaskResult));
  expect(verdict(['passed', 'mandatory'], ['failed', 'advisory'])).toBe('passed');
  expect(verdict(['passed', 'advisory'], ['errored', 'mandatory'])).toBe('failed');
  expect(verdict(['failed', 'mandatory'], ['running', 'advisory'])).toBeUndefined();
});

test('stage statuses after the run is over', () => {
  expect(stageAfterRun('pending', 'errored')).toBe('unreachable');
  expect(stageAfterRun('running', 'errored')).toBe('errored');
  expect(stageAfterRun('running', 'force_canceled')).toBe('canceled');
  expect(stageAfterRun('passed', 'errored')).toBe('passed');
});
