import { type Static, Type } from 'typebox';
import { identifiers, text, typed } from '../../jsonapi/schema.ts';
import { OPERATIONS, WHEN_BUSY } from './schedule.ts';

/** @limit name of a schedule, characters -> 422 */
const NAME = 90;
/** @limit cron expression of a schedule, characters -> 422 */
const CRON = 120;
const TIME_ZONE = 64;
/** @limit longest delay (jitter) of a schedule, seconds -> 422 */
const MAX_JITTER = 21_600;
/** @limit workspaces that one request excludes from a schedule, workspaces -> 422 */
const MAX_EXCLUDED = 100;

const name = text(NAME);
const cron = text(CRON);
const operation = Type.Enum([...OPERATIONS]);
const optional = {
  'time-zone': Type.Optional(text(TIME_ZONE)),
  jitter: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_JITTER })),
  'when-busy': Type.Optional(Type.Enum([...WHEN_BUSY])),
  paused: Type.Optional(Type.Boolean()),
};

const NewAttributes = Type.Object({ name, operation, cron, ...optional });
const Attributes = Type.Object({
  ...{ name: Type.Optional(name), operation: Type.Optional(operation), cron: Type.Optional(cron) },
  ...optional,
});
const type = typed('schedules');

export const CreateSchedule = Type.Object({ data: Type.Object({ type, attributes: NewAttributes }) });
export const UpdateSchedule = Type.Object({ data: Type.Object({ type, attributes: Type.Optional(Attributes) }) });
export const ExcludedWorkspaces = Type.Object({
  data: identifiers('workspaces', { minItems: 1, maxItems: MAX_EXCLUDED }),
});
export const Preview = Type.Object({ cron, 'time-zone': Type.Optional(text(TIME_ZONE)) });

/** Attributes from a client; absent ones stay. */
export type ScheduleInput = Static<typeof Attributes>;
