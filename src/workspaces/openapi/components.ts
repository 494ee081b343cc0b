import { Type } from 'typebox';
import { nullable } from '../jsonapi/schema.ts';

const text = Type.String();
const count = Type.Integer({ minimum: 0 });
const address = nullable(Type.String({ format: 'uri' }));

/** Schema of errors (JSON:API 1.1 §11.2). */
const Errors = Type.Object({
  errors: Type.Array(
    Type.Object({
      id: Type.Optional(text),
      status: Type.String({ pattern: '^[45][0-9]{2}$' }),
      code: Type.Optional(text),
      title: text,
      detail: text,
      source: Type.Optional(Type.Object({ pointer: Type.Optional(text), parameter: Type.Optional(text) })),
    }),
    { minItems: 1 },
  ),
});

/** Schema of page information (spec §2.6). Lists without a count have no totals. */
const PageLinks = Type.Object({
  self: address,
  first: address,
  prev: address,
  next: address,
  last: Type.Optional(address),
});
const pagination = {
  pagination: Type.Object({
    'current-page': count,
    'page-size': count,
    'prev-page': nullable(count),
    'next-page': nullable(count),
    'total-pages': Type.Optional(count),
    'total-count': Type.Optional(count),
  }),
};
const PageMeta = Type.Object(pagination);
/** Schema of the counts of a list of workspaces, which clients can request. */
const WorkspaceCounts = Type.Object({ total: count, locked: count, 'run-status': Type.Record(Type.String(), count) });
const CountedPageMeta = Type.Object({ ...pagination, counts: Type.Optional(WorkspaceCounts) });
/** Schema of the counts of a list of runs, which clients can request. */
const RunCounts = Type.Object({ statuses: Type.Record(Type.String(), count), 'at-least': Type.Array(text) });
const RunPageMeta = Type.Object({ ...pagination, counts: Type.Optional(RunCounts) });

/** Schema of any resource; the type selects the schema. */
const Resource = {
  type: 'object',
  required: ['id', 'type', 'attributes'],
  properties: { id: text, type: text, attributes: { type: 'object' } },
};

/** Schemas that all documents share. */
export const COMMON_SCHEMAS = { CountedPageMeta, Errors, PageLinks, PageMeta, Resource, RunPageMeta };

export const SECURITY_SCHEMES = { token: { type: 'http', scheme: 'bearer' } };

/** Security of routes that need a token; the default. */
export const SECURITY = [{ token: [] }];

/** Reference to a schema by name: one of COMMON_SCHEMAS, or a resource type. */
export function reference(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}
