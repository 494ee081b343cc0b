import { type Static, Type } from 'typebox';
import { identifiers, typed } from '../../jsonapi/schema.ts';
import { ScheduleResource, writtenTimes } from './resource.ts';

/** @limit workspaces that one request excludes from a schedule, workspaces -> 422 */
const MAX_EXCLUDED = 100;

const { create, update } = ScheduleResource;
const type = typed('schedules');

export const CreateSchedule = Type.Object({ data: Type.Object({ type, attributes: create }) });
export const UpdateSchedule = Type.Object({ data: Type.Object({ type, attributes: Type.Optional(update) }) });
export const ExcludedWorkspaces = Type.Object({
  data: identifiers('workspaces', { minItems: 1, maxItems: MAX_EXCLUDED }),
});
export const Preview = Type.Object({
  cron: writtenTimes.cron,
  'time-zone': Type.Optional(writtenTimes['time-zone']),
});

/** Attributes from a client; absent ones stay. */
export type ScheduleInput = Static<typeof update>;
