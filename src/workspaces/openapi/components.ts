import { type TSchema, Type } from 'typebox';
import { nullable } from '../jsonapi/schema.ts';
import { ORGANIZATION_RESOURCES } from './resources/organizations.ts';
import { RUN_RESOURCES } from './resources/runs.ts';
import { SETTING_RESOURCES } from './resources/settings.ts';
import { STATE_RESOURCES } from './resources/states.ts';
import { WORKSPACE_RESOURCES } from './resources/workspaces.ts';

const RESOURCES: Readonly<Record<string, TSchema>> = {
  ...ORGANIZATION_RESOURCES,
  ...RUN_RESOURCES,
  ...SETTING_RESOURCES,
  ...STATE_RESOURCES,
  ...WORKSPACE_RESOURCES,
};

const text = Type.String();
const count = Type.Integer({ minimum: 0 });
const address = nullable(Type.String({ format: 'uri' }));

/** JSON:API 1.1 §11.2. */
const Errors = Type.Object({
  errors: Type.Array(
    Type.Object({
      id: Type.Optional(text),
      status: Type.String({ pattern: '^[45][0-9]{2}$' }),
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
const PageMeta = Type.Object({
  pagination: Type.Object({
    'current-page': count,
    'page-size': count,
    'prev-page': nullable(count),
    'next-page': nullable(count),
    'total-pages': Type.Optional(count),
    'total-count': Type.Optional(count),
  }),
});

/** Any resource: its type says which of the others it is. */
const Resource = {
  type: 'object',
  required: ['id', 'type', 'attributes'],
  properties: { id: text, type: text, attributes: { type: 'object' } },
};

export const SCHEMAS = { Errors, PageLinks, PageMeta, Resource, ...RESOURCES };

export const SECURITY_SCHEMES = { token: { type: 'http', scheme: 'bearer' } };

/** Of routes that need a token, unless they say otherwise. */
export const SECURITY = [{ token: [] }];

/** A schema of SCHEMAS. */
export function reference(name: string): object {
  if (!(name in SCHEMAS)) throw new Error(`no schema is called ${name}`);
  return { $ref: `#/components/schemas/${name}` };
}
