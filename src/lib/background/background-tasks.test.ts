import { describe, expect, it } from 'vitest';
import { newestStatus, worstStatus } from './background-tasks.ts';
import { errorClass } from './error-class.ts';
import { problemOf } from './task-problem.ts';
import type { TaskStatus } from './task-status.ts';

const MINUTE = 60_000;
const TASK = { name: 'test', description: 'Tests.', runsOn: 'leader', period: MINUTE } as const;

const status = (more: Partial<TaskStatus>): TaskStatus => ({
  ...{ result: 'ok', error: undefined, startedAt: 1, age: 5, duration: 1 },
  ...{ failures: 0, failingFor: 0, failuresInTotal: 0, late: -1, isRunning: false, isSkipped: false },
  ...more,
});
const NEVER = status({ result: 'none', startedAt: undefined, age: undefined, duration: undefined });

describe('the status of a task in several processes', () => {
  it('is that of the newest run, whichever process ran it', () => {
    const [old, recent] = [status({ startedAt: 1, age: 9 }), status({ startedAt: 2, age: 8, result: 'failed' })];
    expect(newestStatus([NEVER, old, recent])).toBe(recent);
    expect(newestStatus([recent, NEVER, old])).toBe(recent);
    expect(newestStatus([NEVER])).toBe(NEVER);
    expect(newestStatus([])).toBeUndefined();
  });

  it('is the first of two reports about one run, which knows how the run ended', () => {
    const [ended, copy] = [status({ age: 8 }), status({ age: 7, isRunning: true })];
    expect(newestStatus([ended, copy])).toBe(ended);
  });

  it('is the one with a problem if every process runs the task', () => {
    const late = status({ age: 20 * MINUTE, late: 14 * MINUTE });
    expect(worstStatus(TASK, [status({}), late])).toBe(late);
  });
});

describe('a task is a warning', () => {
  it('after three failures in a row and ten minutes, not before', () => {
    const failed = { result: 'failed', error: '53300', failures: 3, failingFor: 10 * MINUTE } as const;
    expect(problemOf(TASK, status(failed))).toBe('failed 3 times in a row since 10 min, last with 53300');
    expect(problemOf(TASK, status({ ...failed, failures: 2 }))).toBeUndefined();
    expect(problemOf(TASK, status({ ...failed, failingFor: 9 * MINUTE }))).toBeUndefined();
  });

  it('when it is overdue by ten minutes and three periods, or has run for as long', () => {
    expect(problemOf(TASK, status({ late: 12 * MINUTE }))).toBeUndefined();
    expect(problemOf(TASK, status({ late: 13 * MINUTE }))).toBe('overdue by 13 min');
    expect(problemOf(TASK, status({ late: 13 * MINUTE, isRunning: true }))).toBe('its run has not ended for 13 min');
    expect(problemOf({ ...TASK, period: 60 * MINUTE }, status({ late: 180 * MINUTE }))).toBeUndefined();
  });
});

describe('the class of an error', () => {
  it('is a code of the error or of its cause, or else its name', () => {
    const refused = Object.assign(new Error('connect 10.0.0.1'), { code: 'ECONNREFUSED' });
    expect(errorClass(refused)).toBe('ECONNREFUSED');
    expect(errorClass(new Error('cannot be reached', { cause: refused }))).toBe('ECONNREFUSED');
    expect(errorClass(new TypeError('x'))).toBe('TypeError');
  });

  it('never contains free text', () => {
    const odd = Object.assign(new Error('secret'), { code: 'pass word', name: 'secret text' });
    expect(errorClass(odd)).toBe('Error');
    expect(errorClass('secret')).toBe('Error');
  });
});
