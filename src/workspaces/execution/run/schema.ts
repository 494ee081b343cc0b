import { type Static, Type } from 'typebox';
import { ANY_TYPE, nullable, text, typed } from '../../jsonapi/schema.ts';
import type { RunStatus } from '../lifecycle/status.ts';

const flag = Type.Optional(nullable(Type.Boolean()));
const addresses = Type.Optional(nullable(Type.Array(text(1024), { maxItems: 200 })));
/**
 * Addresses of actions. They become arguments of the engine, so control characters and a leading `-` are refused.
 */
const actions = Type.Optional(
  nullable(
    Type.Array(Type.String({ minLength: 1, maxLength: 1024, pattern: '^[^-\\s\\p{Cc}][^\\p{Cc}]*$' }), {
      maxItems: 200,
    }),
  ),
);
const variable = Type.Object({ key: text(128), value: text(262_144) });

const Attributes = Type.Object({
  'allow-config-generation': flag,
  'allow-empty-apply': flag,
  'auto-apply': flag,
  'invoke-action-addrs': actions,
  'is-destroy': flag,
  message: Type.Optional(nullable(text(16_384))),
  'plan-only': flag,
  'policy-paths': addresses,
  refresh: flag,
  'refresh-only': flag,
  'replace-addrs': addresses,
  'save-plan': flag,
  'target-addrs': addresses,
  'terraform-version': Type.Optional(nullable(text(100))),
  variables: Type.Optional(nullable(Type.Array(variable, { maxItems: 200 }))),
});

const one = Type.Object({ id: text(100) });

/** Body of a new run. */
export const CreateRun = Type.Object({
  data: Type.Object({
    type: typed('runs'),
    attributes: Type.Optional(Attributes),
    relationships: Type.Object({
      workspace: Type.Object({ data: one }),
      'configuration-version': Type.Optional(Type.Object({ data: nullable(one) })),
    }),
  }),
});
/** `data` of a create request. */
export type CreateRunInput = Static<typeof CreateRun>['data'];
/** Attributes of a new run after schema validation. */
export type RunAttributes = Static<typeof Attributes>;

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

/** Body of a comment on a run. */
export const CreateComment = Type.Object({
  data: Type.Object({
    type: typed('comments'),
    attributes: Type.Object({ body: Type.String({ minLength: 1, maxLength: 10_000, pattern: '^[^\\u0000]*$' }) }),
  }),
});
