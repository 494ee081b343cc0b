import { type Static, Type } from 'typebox';
import { ANY_TYPE, nullable, text } from '../../jsonapi/schema.ts';
import type { RunStatus } from '../lifecycle/status.ts';

const comment = Type.Optional(nullable(text(10_000)));
/** Body of an action. The comment is at the top level, and the body is optional. */
export const ActionBody = nullable(Type.Object({ comment }));

const count = Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 }));

/** Attributes of a status report from a program that executes a run without a job. */
const REPORTED = [
  'planning',
  'planned',
  'applying',
  'applied',
  'errored',
  'canceled',
] as const satisfies readonly RunStatus[];

/** Body of a status report from a program that executes a run (our extension). */
export const AdvanceRun = Type.Object({
  data: Type.Object({
    type: ANY_TYPE,
    attributes: Type.Object({
      status: Type.Enum(REPORTED),
      'has-changes': Type.Optional(Type.Boolean()),
      'resource-additions': count,
      'resource-changes': count,
      'resource-destructions': count,
      'resource-imports': count,
    }),
  }),
});
/** Attributes of a status report. */
export type Report = Static<typeof AdvanceRun>['data']['attributes'];
