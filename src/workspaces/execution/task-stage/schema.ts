import { type Static, Type } from 'typebox';
import { nullable, text, typed } from '../../jsonapi/schema.ts';

const line = Type.Optional(nullable(text(4096)));
const Tag = Type.Object({ label: text(255), level: Type.Optional(nullable(text(20))) });
const Tags = Type.Record(Type.String({ maxLength: 255, pattern: '^[^\\u0000]*$' }), Type.Array(Tag, { maxItems: 20 }), {
  maxProperties: 20,
});

const Outcome = Type.Object({
  type: typed('task-result-outcomes'),
  attributes: Type.Object({
    'outcome-id': Type.Optional(nullable(text(255))),
    description: line,
    body: Type.Optional(nullable(text(65_536))),
    url: line,
    tags: Type.Optional(nullable(Tags)),
  }),
});

/** Report of a run task service. */
export const Callback = Type.Object({
  data: Type.Object({
    type: Type.Optional(Type.Enum(['task-results', 'task_results'])),
    attributes: Type.Object({ status: Type.Enum(['running', 'passed', 'failed']), message: line, url: line }),
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
