import { Type } from 'typebox';
import { nullable } from '../jsonapi/schema.ts';

const text = Type.String();
const count = Type.Integer({ minimum: 0 });
const address = nullable(Type.String({ format: 'uri' }));

/** JSON:API 1.1 §11.2. */
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

/** Spec §2.6. Without how many there are where nobody counts them. */
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
/** Of a list of workspaces, where it was asked for. */
const WorkspaceCounts = Type.Object({ total: count, locked: count, 'run-status': Type.Record(Type.String(), count) });
const CountedPageMeta = Type.Object({ ...pagination, counts: Type.Optional(WorkspaceCounts) });
/** Of a list of runs, where it was asked for. */
const RunCounts = Type.Object({ statuses: Type.Record(Type.String(), count), 'at-least': Type.Array(text) });
const RunPageMeta = Type.Object({ ...pagination, counts: Type.Optional(RunCounts) });

/** Any resource: its type says which of the others it is. */
const Resource = {
  type: 'object',
  required: ['id', 'type', 'attributes'],
  properties: { id: text, type: text, attributes: { type: 'object' } },
};

/** What documents are made of, whatever the resource. */
export const COMMON_SCHEMAS = { CountedPageMeta, Errors, PageLinks, PageMeta, Resource, RunPageMeta };

export const SECURITY_SCHEMES = { token: { type: 'http', scheme: 'bearer' } };

/** Of routes that need a token, unless they say otherwise. */
export const SECURITY = [{ token: [] }];

/** A schema of the document, by its name: one of COMMON_SCHEMAS, or the type of a resource. */
export function reference(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}
