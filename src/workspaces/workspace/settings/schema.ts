import { type Static, Type } from 'typebox';
import { nullable, nullableEnum, resourceBody, text, timestamp, typed } from '../../jsonapi/schema.ts';
import { BindingEntry, ENGINES, EXECUTION_MODES } from '../../tenancy/index.ts';

const flag = Type.Optional(nullable(Type.Boolean()));
const paths = Type.Optional(nullable(Type.Array(text(1024), { maxItems: 200 })));
const line = Type.Optional(nullable(text(1024)));

const VcsRepo = Type.Object({
  identifier: line,
  'oauth-token-id': line,
  'github-app-installation-id': line,
  branch: line,
  'ingress-submodules': flag,
  'tags-regex': line,
});

/** Writable attributes (spec §4.1, §4.2) without the name. All are optional. */
export const attributeSchemas = {
  'agent-pool-id': Type.Optional(nullable(text(100))),
  'allow-destroy-plan': flag,
  'assessments-enabled': flag,
  'auto-apply': flag,
  'auto-apply-run-trigger': flag,
  'auto-destroy-activity-duration': Type.Optional(nullable(Type.String({ pattern: '^(?!0+[dh])\\d{1,4}[dh]$' }))),
  'auto-destroy-at': Type.Optional(nullable(timestamp)),
  description: Type.Optional(nullable(text(4096))),
  engine: Type.Optional(nullableEnum(ENGINES)),
  'engine-version': Type.Optional(nullable(text(100))),
  'execution-mode': Type.Optional(nullableEnum(EXECUTION_MODES)),
  'file-triggers-enabled': flag,
  'global-remote-state': flag,
  'inherits-project-auto-destroy': flag,
  'migration-environment': Type.Optional(nullable(text(100))),
  operations: flag,
  'project-remote-state': flag,
  'queue-all-runs': flag,
  'setting-overwrites': Type.Optional(nullable(Type.Object({ 'execution-mode': flag, 'agent-pool': flag }))),
  'source-name': line,
  'source-url': line,
  'speculative-enabled': flag,
  'structured-run-output-enabled': flag,
  'terraform-version': Type.Optional(nullable(text(100))),
  'trigger-patterns': paths,
  'trigger-prefixes': paths,
  'vcs-repo': Type.Optional(nullable(VcsRepo)),
  'working-directory': line,
};

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

const name = text(200);
/** The specification requires the type (§4.1, §4.2). */
const type = Type.Literal('workspaces');
/** Body of a create request (spec §4.1). */
export const CreateWorkspace = resourceBody(type, Type.Object({ name, ...attributeSchemas }), {
  project,
  tags,
  'tag-bindings': bindings,
});
/** Body of an update request (spec §4.2): like create, but all members are optional. */
export const UpdateWorkspace = resourceBody(
  type,
  Type.Optional(Type.Object({ name: Type.Optional(name), ...attributeSchemas })),
  { project, 'tag-bindings': bindings },
);

/** Attributes that decide which commits start runs. Without members of the repository, which one it is stays. */
export const TriggerAttributes = Type.Object({
  'file-triggers-enabled': flag,
  'trigger-patterns': paths,
  'trigger-prefixes': paths,
  'vcs-repo': Type.Optional(Type.Object({ branch: line, 'tags-regex': line })),
  'working-directory': line,
});

const NewAttributes = Type.Object(attributeSchemas);

/** Attributes after validation by the schema. */
export type Attributes = Static<typeof NewAttributes>;
/** `data` of a create body. */
export type CreateInput = Static<typeof CreateWorkspace>['data'];
/** `data` of an update body. */
export type UpdateInput = Static<typeof UpdateWorkspace>['data'];
/** `data` of a list of flat tags. */
export type TagEntries = readonly Static<typeof Tag>[];
