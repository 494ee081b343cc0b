import { type Static, Type } from 'typebox';
import { nullable, resourceBody, text, typed } from '../../jsonapi/schema.ts';
import { BindingEntry } from '../../tenancy/index.ts';
import { WorkspaceResource } from './resource.ts';

const tag = {
  id: Type.Optional(text(100)),
  attributes: Type.Optional(Type.Object({ name: Type.Optional(text(255)) })),
};
/** A flat tag, by id or by name. */
const Tag = Type.Object({ type: typed('tags'), ...tag });
/** The specification requires the type when tags are added or removed (§4.10). */
export const TagEntry = Type.Object({ type: Type.Literal('tags'), ...tag });

const project = Type.Optional(Type.Object({ data: nullable(Type.Object({ id: Type.Optional(text(100)) })) }));
const bindings = Type.Optional(Type.Object({ data: Type.Array(BindingEntry, { maxItems: 100 }) }));
const tags = Type.Optional(Type.Object({ data: Type.Array(Tag, { maxItems: 100 }) }));

/** The specification requires the type (§4.1, §4.2). */
const type = Type.Literal('workspaces');
/** Body of a create request (spec §4.1). */
export const CreateWorkspace = resourceBody(type, WorkspaceResource.create, {
  project,
  tags,
  'tag-bindings': bindings,
});
/** Body of an update request (spec §4.2): like create, but all members are optional. */
export const UpdateWorkspace = resourceBody(type, Type.Optional(WorkspaceResource.update), {
  project,
  'tag-bindings': bindings,
});

const line = Type.Optional(nullable(text(1024)));
const TRIGGERS = ['file-triggers-enabled', 'trigger-patterns', 'trigger-prefixes', 'working-directory'] as const;
/** Attributes that decide which commits start runs. Without members of the repository, which one it is stays. */
export const TriggerAttributes = Type.Object({
  ...Type.Pick(WorkspaceResource.update, TRIGGERS).properties,
  'vcs-repo': Type.Optional(Type.Object({ branch: line, 'tags-regex': line })),
});

/** Attributes after validation by the schema. */
export type Attributes = Static<typeof WorkspaceResource.update>;
/** `data` of a create body. */
export type CreateInput = Static<typeof CreateWorkspace>['data'];
/** `data` of an update body. */
export type UpdateInput = Static<typeof UpdateWorkspace>['data'];
/** `data` of a list of flat tags. */
export type TagEntries = readonly Static<typeof Tag>[];
