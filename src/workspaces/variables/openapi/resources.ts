import { Type } from 'typebox';
import * as is from '../../openapi/resource.ts';
import { CATEGORIES } from '../variable/variable.ts';

/** Variables and variable sets, by resource type. */
export const VARIABLES_RESOURCES = {
  vars: is.resource(
    'vars',
    {
      key: is.text,
      // Value; null if the variable is sensitive.
      value: is.textOrNull,
      sensitive: is.flag,
      category: Type.Enum([...CATEGORIES]),
      hcl: is.flag,
      // Whether speculative plans do not get the variable.
      'apply-only': is.flag,
      description: is.textOrNull,
      'created-at': is.time,
      'version-id': is.text,
    },
    { configurable: Type.Optional(is.toOne('workspaces')), varset: Type.Optional(is.toOne('varsets')) },
  ),
  varsets: is.resource(
    'varsets',
    {
      name: is.text,
      description: is.textOrNull,
      global: is.flag,
      priority: is.flag,
      'updated-at': is.time,
      'var-count': is.integer,
      'workspace-count': is.integer,
      'project-count': is.integer,
      permissions: is.flags(['can-update']),
    },
    {
      organization: is.toOne('organizations'),
      parent: is.toOne('organizations', 'projects'),
      vars: is.toMany('vars'),
      workspaces: is.toMany('workspaces'),
      projects: is.toMany('projects'),
      stacks: is.toMany('stacks'),
    },
  ),
};
