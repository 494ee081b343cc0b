import { type Static, Type } from 'typebox';
import { pageQuery } from '../../jsonapi/pagination.ts';
import { commaList, nullable, text } from '../../jsonapi/schema.ts';
import { taggedBy, taggedPattern, taggedQuery } from '../../query/tagged.ts';
import { createBody, updateBody } from '../../resource/index.ts';
import { BindingEntry } from '../tag-binding/key-value.ts';
import type { ProjectFilter } from './project.ts';
import { ProjectResource } from './resource.ts';
import type { ProjectInput } from './rules.ts';

const yes = Type.Optional(Type.Enum(['true', 'false']));

/** Query of a list of projects. */
export const ListProjects = Type.Object(
  {
    ...pageQuery,
    ...taggedQuery,
    include: Type.Optional(text(200)),
    q: Type.Optional(text(100)),
    sort: Type.Optional(Type.Enum(['name', '-name'])),
    'filter[names]': Type.Optional(text(1000)),
    'filter[permissions][update]': yes,
    'filter[permissions][create-workspace]': yes,
  },
  taggedPattern,
);

/**
 * Converts the query to a filter.
 * @throws 400 for too many values
 */
export function filterOf(query: Static<typeof ListProjects>): ProjectFilter {
  return {
    names: commaList(query['filter[names]']),
    query: query.q ?? '',
    permissions: [
      ...(query['filter[permissions][update]'] === 'true' ? (['can-update'] as const) : []),
      ...(query['filter[permissions][create-workspace]'] === 'true' ? (['can-create-workspace'] as const) : []),
    ],
    tagged: taggedBy(query),
    // Tests of official clients expect the default project first, and a new one first if the response has includes.
    sort: query.sort ?? (query.include ? 'newest' : 'default-first'),
  };
}

const relationships = {
  'tag-bindings': Type.Optional(Type.Object({ data: Type.Array(BindingEntry, { maxItems: 100 }) })),
  'default-agent-pool': Type.Optional(Type.Object({ data: nullable(Type.Object({ id: text(100) })) })),
};
export const CreateProject = createBody(ProjectResource, relationships);
export const UpdateProject = updateBody(ProjectResource, relationships);

/** Converts the request body. The agent pool is in an attribute or in a relationship. */
export function projectInput({
  attributes = {},
  relationships: related,
}: Static<typeof UpdateProject>['data']): ProjectInput {
  const { name: named, description, 'setting-overwrites': overwrites } = attributes;
  const pool = related?.['default-agent-pool'];
  return {
    name: named,
    description,
    autoDestroyActivityDuration: attributes['auto-destroy-activity-duration'],
    execution: {
      mode: attributes['default-execution-mode'],
      agentPoolId: pool === undefined ? attributes['default-agent-pool-id'] : (pool.data?.id ?? null),
      overwrites: overwrites && {
        mode: overwrites['default-execution-mode'] ?? null,
        agentPool: overwrites['default-agent-pool'] ?? null,
      },
    },
  };
}
