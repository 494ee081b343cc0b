import type { Issue } from '../../../lib/errors.ts';
import { attributeIssue, unprocessable } from '../../jsonapi/errors.ts';
import { cronProblem, normalized, shortestInterval, timeZoneProblem } from './cron.ts';
import type { ScheduleSettings } from './schedule.ts';
import type { ScheduleInput } from './schema.ts';

/** Settings of a schedule before the attributes of a client. */
export const NEW_SCHEDULE: ScheduleSettings = {
  ...{ name: '', operation: 'plan', cron: '', timeZone: 'UTC', jitter: 0, whenBusy: 'skip', paused: false },
};

/**
 * Returns the settings with the attributes of a client.
 * @throws 422 with all faults
 */
export function nextSettings(current: ScheduleSettings, input: ScheduleInput, now: number): ScheduleSettings {
  const next: ScheduleSettings = {
    name: (input.name ?? current.name).trim(),
    operation: input.operation ?? current.operation,
    cron: normalized(input.cron ?? current.cron),
    timeZone: input['time-zone'] ?? current.timeZone,
    jitter: input.jitter ?? current.jitter,
    whenBusy: input['when-busy'] ?? current.whenBusy,
    paused: input.paused ?? current.paused,
  };
  // A pause must always be possible, even if the server does not know the time zone any more.
  const isSame = next.cron === current.cron && next.timeZone === current.timeZone && next.jitter === current.jitter;
  const issues = [...(isSame ? [] : timeIssues(next, now)), ...nameIssues(next)];
  if (issues.length > 0) throw unprocessable(issues);
  return next;
}

function nameIssues({ name }: ScheduleSettings): Issue[] {
  return name === '' ? [attributeIssue('name', "Name can't be blank")] : [];
}

function timeIssues(next: ScheduleSettings, now: number): Issue[] {
  const zone = timeZoneProblem(next.timeZone);
  const cron = cronProblem(zone === undefined ? next : { ...next, timeZone: 'UTC' }, now);
  const issues = [
    ...(cron === undefined ? [] : [attributeIssue('cron', cron)]),
    ...(zone === undefined ? [] : [attributeIssue('time-zone', zone)]),
  ];
  if (issues.length === 0 && next.jitter * 1000 >= shortestInterval(next.cron)) {
    issues.push(attributeIssue('jitter', 'Jitter must be shorter than the time between two times of the schedule'));
  }
  return issues;
}

/** Returns whether a change decides about the runs of the schedule. A name and a pause do not. */
export function changesRuns(before: ScheduleSettings, after: ScheduleSettings): boolean {
  const resumes = before.paused && !after.paused;
  return resumes || before.whenBusy !== after.whenBusy || startsAgain(before, { ...after, paused: before.paused });
}

/** Returns whether a change concerns work that is under way, so that the schedule starts again at its next time. */
export function startsAgain(before: ScheduleSettings, after: ScheduleSettings): boolean {
  const { cron, timeZone, operation, jitter, paused } = before;
  const isSame = cron === after.cron && timeZone === after.timeZone && operation === after.operation;
  return !(isSame && jitter === after.jitter && paused === after.paused);
}
