import { type Static, Type } from 'typebox';
import { pageQuery } from '../../jsonapi/pagination.ts';
import { identifiers, nullable, text } from '../../jsonapi/schema.ts';
import { createBody, updateBody } from '../../resource/index.ts';
import { VariableEntries } from '../variable/schema.ts';
import { VariableSetResource } from './resource.ts';

/**
 * Maximum number of workspaces or projects of one set, and of one request.
 * @limit workspaces or projects of a variable set, and in one request, entries -> 422
 */
export const MAX_LINKS = 1000;

export const WorkspaceLinks = Type.Object({ data: identifiers('workspaces', { maxItems: MAX_LINKS }) });
export const ProjectLinks = Type.Object({ data: identifiers('projects', { maxItems: MAX_LINKS }) });
const links = {
  workspaces: Type.Optional(WorkspaceLinks),
  projects: Type.Optional(ProjectLinks),
  vars: Type.Optional(Type.Object({ data: VariableEntries })),
};
const parent = Type.Optional(
  Type.Object({ data: nullable(Type.Object({ type: Type.Enum(['organizations', 'projects']), id: text(100) })) }),
);

export const CreateSet = createBody(VariableSetResource, { ...links, parent });
export const UpdateSet = updateBody(VariableSetResource, links);

export const ListSets = Type.Object({
  ...pageQuery,
  q: Type.Optional(text(100)),
  include: Type.Optional(text(200)),
});
export const ShowSet = Type.Object({ include: Type.Optional(text(200)) });

/** `data` of a create body. */
export type NewSetInput = Static<typeof CreateSet>['data'];
/** `data` of an update body; absent members stay. */
export type SetInput = Static<typeof UpdateSet>['data'];
