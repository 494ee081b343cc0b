import { type Static, Type } from 'typebox';
import { nullable, text, typed } from '../../jsonapi/schema.ts';
import { TaskOutcomeResource, TaskResultResource } from './resource.ts';

const Outcome = Type.Object({ type: typed('task-result-outcomes'), attributes: TaskOutcomeResource.create });

/** Report of a run task service. */
export const Callback = Type.Object({
  data: Type.Object({
    type: Type.Optional(Type.Enum(['task-results', 'task_results'])),
    attributes: TaskResultResource.update,
    relationships: Type.Optional(
      Type.Object({
        outcomes: Type.Optional(Type.Object({ data: nullable(Type.Array(Outcome, { maxItems: 100 })) })),
      }),
    ),
  }),
});
/** `data` of a request that reports a result. */
export type CallbackInput = Static<typeof Callback>['data'];

/** Body of an override. The comment is at the top level, and the body is optional. */
export const Override = nullable(Type.Object({ comment: Type.Optional(nullable(text(10_000))) }));
