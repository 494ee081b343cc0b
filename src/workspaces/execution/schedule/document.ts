import { isoTime } from '../../../lib/clock.ts';
import { type Resource, toOne } from '../../jsonapi/document.ts';
import { nextTimes } from './cron.ts';
import { delayOf } from './jitter.ts';
import type { ShownOutcome, ShownSchedule } from './schedule.ts';

const timeOf = (time: number | null): string | null => (time === null ? null : isoTime(time));

/** Returns the JSON:API resource of a schedule. @param now milliseconds since 1970 */
export function scheduleResource(schedule: ShownSchedule, now: number): Resource {
  const { id, last, workspaceId, projectId, shownFor, jitter } = schedule;
  const delay = shownFor === null ? null : delayOf(id, shownFor, jitter);
  return {
    id,
    type: 'schedules',
    attributes: {
      ...{ name: schedule.name, operation: schedule.operation, cron: schedule.cron },
      'time-zone': schedule.timeZone,
      jitter,
      delay: delay === null ? null : delay / 1000,
      'when-busy': schedule.whenBusy,
      paused: schedule.paused,
      inherited: shownFor !== null && workspaceId === null,
      excluded: schedule.excluded,
      'next-times': nextStarts(schedule, delay ?? 0, now).map((time) => isoTime(time)),
      'last-time': timeOf(schedule.occurredAt),
      'waiting-count': schedule.waiting,
      'last-outcome': last === undefined ? null : outcomeAttributes(last),
      'created-at': isoTime(schedule.createdAt),
    },
    relationships: {
      workspace: toOne('workspaces', workspaceId),
      project: toOne('projects', projectId),
      'last-run': toOne('runs', runOf(last)),
    },
    links: { self: `/api/v2/schedules/${id}` },
  };
}

/**
 * Returns the next times at which the schedule starts its work: in one workspace with its delay, which the last time may
 * still wait for; for a project without, because each workspace has another one.
 */
function nextStarts(schedule: ShownSchedule, delay: number, now: number): number[] {
  const { paused, excluded, startsAt } = schedule;
  if (paused || excluded) return [];
  const times = nextTimes(schedule, now).map((time) => time + delay);
  const all = startsAt !== null && startsAt > now ? [startsAt, ...times] : times;
  return all.slice(0, times.length);
}

/** Returns the JSON:API resource of an outcome. */
export function outcomeResource(outcome: ShownOutcome): Resource {
  return {
    id: outcome.id,
    type: 'schedule-outcomes',
    attributes: { ...outcomeAttributes(outcome), 'workspace-name': outcome.workspaceName },
    relationships: {
      schedule: toOne('schedules', outcome.scheduleId),
      workspace: toOne('workspaces', outcome.workspaceId),
      run: toOne('runs', runOf(outcome)),
    },
  };
}

function outcomeAttributes({ status, reason, runStatus, occurredAt, createdAt }: ShownOutcome) {
  return {
    ...{ status, reason, 'run-status': runStatus },
    'scheduled-at': isoTime(occurredAt),
    'created-at': isoTime(createdAt),
  };
}

/** Returns the run of an outcome; null if it was deleted. */
const runOf = (outcome: ShownOutcome | undefined): string | null =>
  outcome === undefined || outcome.runStatus === null ? null : outcome.runId;
