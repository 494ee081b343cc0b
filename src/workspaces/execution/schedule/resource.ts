import { type TSchema, Type } from 'typebox';
import { isoTime } from '../../../lib/clock.ts';
import { nullable, nullableEnum, text } from '../../jsonapi/schema.ts';
import {
  type AnyResource,
  attribute,
  is,
  optional,
  required,
  resourceOf,
  time,
  timeOrNull,
  toOne,
} from '../../resource/index.ts';
import { RUN_STATUSES } from '../lifecycle/status.ts';
import { nextTimes } from './cron.ts';
import { delayOf } from './jitter.ts';
import { OPERATIONS, OUTCOMES, type ShownOutcome, type ShownSchedule, WHEN_BUSY } from './schedule.ts';

/** @limit name of a schedule, characters -> 422 */
const NAME = 90;
/** @limit cron expression of a schedule, characters -> 422 */
const CRON = 120;
const TIME_ZONE = 64;
/** @limit longest delay (jitter) of a schedule, seconds -> 422 */
const MAX_JITTER = 21_600;

/** Schemas of the times of a schedule in requests. */
export const writtenTimes = { cron: text(CRON), 'time-zone': text(TIME_ZONE) };

const operation = Type.Enum([...OPERATIONS]);
const whenBusy = Type.Enum([...WHEN_BUSY]);
const outcome = {
  status: Type.Enum([...OUTCOMES]),
  reason: is.textOrNull,
  'run-status': nullableEnum(RUN_STATUSES),
  'scheduled-at': is.time,
  'created-at': is.time,
};

/** A schedule at a time, in milliseconds since 1970. */
export const ScheduleResource = resourceOf<ShownSchedule, [now: number]>()('schedules', {
  attributes: {
    name: attribute(is.text, 'name', required(text(NAME))),
    operation: attribute(operation, 'operation', required(operation)),
    cron: attribute(is.text, 'cron', required(writtenTimes.cron)),
    'time-zone': attribute(is.text, 'timeZone', optional(writtenTimes['time-zone'])),
    jitter: attribute(is.integer, 'jitter', optional(Type.Integer({ minimum: 0, maximum: MAX_JITTER }))),
    // Seconds after the times of the expression at which the workspace starts; null in documents of a project.
    delay: attribute(is.integerOrNull, (schedule) => {
      const delay = delayIn(schedule);
      return delay === null ? null : delay / 1000;
    }),
    'when-busy': attribute(whenBusy, 'whenBusy', optional(whenBusy)),
    paused: attribute(is.flag, 'paused', optional(Type.Boolean())),
    // Whether the schedule is one of the workspace's project, and whether it does not act in the workspace.
    inherited: attribute(is.flag, ({ shownFor, workspaceId }) => shownFor !== null && workspaceId === null),
    excluded: attribute(is.flag, 'excluded'),
    'next-times': attribute(Type.Array(is.time), (schedule, now) => nextStarts(schedule, now).map((at) => isoTime(at))),
    'last-time': timeOrNull('occurredAt'),
    'waiting-count': attribute(is.integer, 'waiting'),
    'last-outcome': attribute(nullable(Type.Object(outcome)), ({ last }) => (last ? outcomeOf(last) : null)),
    'created-at': time('createdAt'),
  },
  relationships: {
    workspace: toOne('workspaces', 'workspaceId'),
    project: toOne('projects', 'projectId'),
    'last-run': toOne('runs', ({ last }) => (last ? runOf(last) : null)),
  },
  links: ({ id }) => ({ self: `/api/v2/schedules/${id}` }),
});

/** The outcome of one occurrence in one workspace. */
export const ScheduleOutcomeResource = resourceOf<ShownOutcome>()('schedule-outcomes', {
  attributes: {
    status: attribute(outcome.status, 'status'),
    reason: attribute(outcome.reason, 'reason'),
    'run-status': attribute(outcome['run-status'], 'runStatus'),
    'scheduled-at': time('occurredAt'),
    'created-at': time('createdAt'),
    'workspace-name': attribute(is.text, 'workspaceName'),
  },
  relationships: {
    schedule: toOne('schedules', 'scheduleId'),
    workspace: toOne('workspaces', 'workspaceId'),
    run: toOne('runs', runOf),
  },
});

const preview: TSchema = Type.Object({
  type: Type.Enum(['schedule-previews']),
  attributes: Type.Object({ cron: is.text, 'time-zone': is.text, 'next-times': Type.Array(is.time) }),
});

/** The next times of an expression. They are computed for the request, so the resource has no id. */
export const SchedulePreviewResource: AnyResource = { type: 'schedule-previews', schema: preview };

/** Returns the delay of the workspace for which the schedule is shown, in milliseconds; null in other documents. */
function delayIn({ id, shownFor, jitter }: ShownSchedule): number | null {
  return shownFor === null ? null : delayOf(id, shownFor, jitter);
}

/**
 * Returns the next times at which the schedule starts its work: in one workspace with its delay, which the last time may
 * still wait for; for a project without, because each workspace has another one.
 */
function nextStarts(schedule: ShownSchedule, now: number): number[] {
  const { paused, excluded, startsAt } = schedule;
  if (paused || excluded) return [];
  const delay = delayIn(schedule) ?? 0;
  const times = nextTimes(schedule, now).map((at) => at + delay);
  const all = startsAt !== null && startsAt > now ? [startsAt, ...times] : times;
  return all.slice(0, times.length);
}

function outcomeOf({ status, reason, runStatus, occurredAt, createdAt }: ShownOutcome) {
  return {
    ...{ status, reason, 'run-status': runStatus },
    'scheduled-at': isoTime(occurredAt),
    'created-at': isoTime(createdAt),
  };
}

/** Returns the run of an outcome; null if it was deleted. */
function runOf({ runStatus, runId }: ShownOutcome): string | null {
  return runStatus === null ? null : runId;
}
