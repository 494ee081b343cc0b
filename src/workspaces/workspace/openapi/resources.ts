import { Type } from 'typebox';
import * as is from '../../openapi/resource.ts';
import {
  CUSTOM_ACCESS,
  CUSTOM_ACCESS_IN_PROJECT,
  RUNS,
  SENTINEL_MOCKS,
  STATE_VERSIONS,
  TEAM_PROJECT_LEVELS,
  TEAM_WORKSPACE_LEVELS,
  VARIABLES,
} from '../../tenancy/index.ts';

const steps = {
  runs: Type.Enum([...RUNS]),
  variables: Type.Enum([...VARIABLES]),
  'state-versions': Type.Enum([...STATE_VERSIONS]),
  'sentinel-mocks': Type.Enum([...SENTINEL_MOCKS]),
};
const switches = (access: object) => Object.keys(access).filter((name) => !(name in steps));
const onWire = (name: string) => (name === 'locking' ? 'workspace-locking' : name);

/** Workspaces, their settings, and access to them, by resource type. */
export const WORKSPACE_RESOURCES = {
  'team-workspaces': is.resource(
    'team-workspaces',
    {
      access: Type.Enum([...TEAM_WORKSPACE_LEVELS]),
      ...steps,
      ...is.flags(switches(CUSTOM_ACCESS).map(onWire)).properties,
    },
    { team: is.toOne('teams'), workspace: is.toOne('workspaces') },
  ),
  'team-projects': is.resource(
    'team-projects',
    {
      access: Type.Enum([...TEAM_PROJECT_LEVELS]),
      'project-access': Type.Object({
        settings: Type.Enum(['none', 'read', 'update', 'delete']),
        teams: Type.Enum(['none', 'read', 'manage']),
        'variable-sets': Type.Enum(['none', 'read', 'write']),
      }),
      'workspace-access': Type.Object({ ...steps, ...is.flags(switches(CUSTOM_ACCESS_IN_PROJECT)).properties }),
    },
    { team: is.toOne('teams'), project: is.toOne('projects') },
  ),
};
