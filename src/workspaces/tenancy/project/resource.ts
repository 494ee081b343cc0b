import { Type } from 'typebox';
import { linked } from '../../jsonapi/document.ts';
import { nullable, nullableEnum, text } from '../../jsonapi/schema.ts';
import {
  attribute,
  is,
  link,
  optional,
  relationship,
  required,
  resourceOf,
  time,
  toOne,
} from '../../resource/index.ts';
import { EXECUTION_MODES } from '../organization/execution-mode.ts';
import { PROJECT_PERMISSIONS } from '../permissions/project.ts';
import type { ProjectBinding } from './binding-store.ts';
import type { ProjectView } from './project.ts';

const flag = Type.Optional(nullable(Type.Boolean()));
const Overwrites = Type.Object({ 'default-execution-mode': flag, 'default-agent-pool': flag });
const pathOf = ({ id }: ProjectView) => `/api/v2/projects/${id}`;

/** A project as the caller sees it. `bindings` are the tags to refer to if the client includes them. */
export const ProjectResource = resourceOf<ProjectView, [bindings?: readonly ProjectBinding[]]>()('projects', {
  attributes: {
    // The rule for names gives a better error than a length limit.
    name: attribute(is.text, 'name', required(text(500))),
    description: attribute(is.textOrNull, 'description', optional(nullable(text(256)))),
    'created-at': time('createdAt'),
    'workspace-count': attribute(is.integer, 'workspaceCount'),
    'team-count': attribute(is.integer, 'teamCount'),
    'is-unified': attribute(is.flag, () => false),
    'auto-destroy-activity-duration': attribute(
      is.textOrNull,
      'autoDestroyActivityDuration',
      optional(nullable(text(20))),
    ),
    'default-execution-mode': attribute(
      Type.Enum([...EXECUTION_MODES]),
      'defaultExecutionMode',
      optional(nullableEnum(EXECUTION_MODES)),
    ),
    'default-agent-pool-id': optional(nullable(text(100))),
    'setting-overwrites': attribute(
      is.flags(['default-execution-mode', 'default-agent-pool']),
      ({ ownExecutionMode }) => {
        // The agent pool is inherited together with the mode.
        const own = ownExecutionMode !== null;
        return { 'default-execution-mode': own, 'default-agent-pool': own };
      },
      optional(nullable(Overwrites)),
    ),
    permissions: attribute(is.flags(PROJECT_PERMISSIONS), 'permissions'),
  },
  relationships: {
    organization: toOne('organizations', 'organizationName'),
    'default-agent-pool': toOne('agent-pools', 'defaultAgentPoolId'),
    'tag-bindings': link((project) => `${pathOf(project)}/tag-bindings`),
    'effective-tag-bindings': relationship(is.linkedToMany('effective-tag-bindings'), (project, bindings) => ({
      ...linked(`${pathOf(project)}/effective-tag-bindings`),
      ...(bindings && { data: bindings.map(({ id }) => ({ type: 'effective-tag-bindings', id })) }),
    })),
  },
  links: (project) => ({ self: pathOf(project) }),
});
