import { type Static, Type } from 'typebox';
import { pageQuery } from '../../jsonapi/pagination.ts';
import { Id, nullable, text, typed } from '../../jsonapi/schema.ts';
import { createBody } from '../../resource/index.ts';
import { StateVersionResource } from './resource.ts';
import { STATUSES } from './state-version.ts';

/** A link to a resource, or null. */
const one = (id: string) => Type.Object({ data: nullable(Type.Object({ id: Type.String({ pattern: id }) })) });

export const CreateStateVersion = createBody(StateVersionResource, {
  run: Type.Optional(one('^run-[A-Za-z0-9]{1,90}$')),
});

/** Body of a request that creates a version. */
export type StateInput = Static<typeof CreateStateVersion>['data'];

export const Rollback = Type.Object({
  data: Type.Object({
    type: typed('state-versions'),
    relationships: Type.Object({
      'rollback-state-version': Type.Object({ data: Type.Object({ id: text(100) }) }),
    }),
  }),
});

export const ListStateVersions = Type.Object({
  ...pageQuery,
  'filter[organization][name]': text(100),
  'filter[workspace][name]': text(100),
  'filter[status]': Type.Optional(Type.Unsafe<(typeof STATUSES)[number]>({ enum: STATUSES })),
  include: Type.Optional(text(1000)),
});

export const OfWorkspace = Type.Object({ workspace_id: Id });
export const OneStateVersion = Type.Object({ state_version_id: Id });
export const OneOutput = Type.Object({ output_id: Id });
export const Page = Type.Object(pageQuery);
export const Include = Type.Object({ include: Type.Optional(text(1000)) });
export const ListResources = Type.Object({
  ...pageQuery,
  q: Type.Optional(text(1000)),
  'filter[address]': Type.Optional(text(1000)),
  'filter[module]': Type.Optional(text(1000)),
  'filter[provider]': Type.Optional(text(1000)),
  'filter[type]': Type.Optional(text(1000)),
});
export const DiffQuery = Type.Object({ from: Type.Optional(text(100)) });

/** Query of a signed URL. */
export const SignedQuery = Type.Object({ link: Type.Optional(text(1000)) });
