import { Type } from 'typebox';
import { nullable, nullableEnum } from '../../jsonapi/schema.ts';
import { type Answers, done, made, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import * as is from '../../openapi/resource.ts';
import { RUN_STATUSES } from '../lifecycle/status.ts';
import { OPERATIONS, OUTCOMES, WHEN_BUSY } from '../schedule/schedule.ts';

const outcome = {
  status: Type.Enum([...OUTCOMES]),
  reason: is.textOrNull,
  'run-status': nullableEnum(RUN_STATUSES),
  'scheduled-at': is.time,
  'created-at': is.time,
};

/** Resources of schedules, by type. */
export const SCHEDULE_RESOURCES = {
  schedules: is.resource(
    'schedules',
    {
      name: is.text,
      operation: Type.Enum([...OPERATIONS]),
      cron: is.text,
      'time-zone': is.text,
      jitter: is.integer,
      // Seconds after the times of the expression at which the workspace starts; null in documents of a project.
      delay: is.integerOrNull,
      'when-busy': Type.Enum([...WHEN_BUSY]),
      paused: is.flag,
      // Whether the schedule is one of the workspace's project, and whether it does not act in the workspace.
      inherited: is.flag,
      excluded: is.flag,
      'next-times': Type.Array(is.time),
      'last-time': is.timeOrNull,
      'waiting-count': is.integer,
      'last-outcome': nullable(Type.Object(outcome)),
      'created-at': is.time,
    },
    { workspace: is.toOne('workspaces'), project: is.toOne('projects'), 'last-run': is.toOne('runs') },
  ),
  'schedule-outcomes': is.resource(
    'schedule-outcomes',
    { ...outcome, 'workspace-name': is.text },
    { schedule: is.toOne('schedules'), workspace: is.toOne('workspaces'), run: is.toOne('runs') },
  ),
  // It is computed for the request, so it has no id.
  'schedule-previews': Type.Object({
    type: Type.Enum(['schedule-previews']),
    attributes: Type.Object({ cron: is.text, 'time-zone': is.text, 'next-times': Type.Array(is.time) }),
  }),
};

const EXCLUDED = '/schedules/:schedule_id/relationships/excluded-workspaces';

/** Responses of the routes of schedules. */
export const SCHEDULE_ANSWERS: Answers = {
  'GET /workspaces/:workspace_id/schedules': pageAnswer('schedules'),
  'POST /workspaces/:workspace_id/schedules': made('schedules'),
  'GET /projects/:project_id/schedules': pageAnswer('schedules'),
  'POST /projects/:project_id/schedules': made('schedules'),
  'GET /schedules/preview': resourceAnswer('schedule-previews'),
  'GET /schedules/:schedule_id': resourceAnswer('schedules'),
  'PATCH /schedules/:schedule_id': resourceAnswer('schedules'),
  'GET /schedules/:schedule_id/outcomes': pageAnswer('schedule-outcomes'),
  [`POST ${EXCLUDED}`]: done,
  [`DELETE ${EXCLUDED}`]: done,
};
