import type { Clock } from '../../lib/clock.ts';
import type { Database, Keyring } from '../../storage/index.ts';
import type { Organizations } from '../tenancy/organization/organizations.ts';
import type { Projects } from '../tenancy/project/projects.ts';
import type { WorkspaceExtensions } from '../workspace/hooks.ts';
import type { WorkspaceFinder } from '../workspace/workspace/finder.ts';
import { variableResource } from './variable/document.ts';
import { VariableKeeper } from './variable/keeper.ts';
import { Variables } from './variable/variables.ts';
import { AppliedVariables } from './variable-set/applied-variables.ts';
import { VariableSetFinder } from './variable-set/finder.ts';
import { SetVariables } from './variable-set/set-variables.ts';
import { VariableSets } from './variable-set/variable-sets.ts';

/** Variables of workspaces and in sets. */
export interface VariableServices {
  readonly variables: Variables;
  readonly variableSets: VariableSets;
  readonly setVariables: SetVariables;
  readonly appliedVariables: AppliedVariables;
}

/** What they stand on. */
export interface VariableServicesOptions {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly organizations: Organizations;
  readonly projects: Projects;
  readonly finder: WorkspaceFinder;
  readonly extensions: WorkspaceExtensions;
}

export function createVariables(options: VariableServicesOptions): VariableServices {
  const { database, keyring, clock, organizations, projects, finder: workspaces } = options;
  const keeper = new VariableKeeper(database, keyring, clock);
  const finder = new VariableSetFinder(database, projects, keeper);
  const variables = new Variables(database, workspaces, keeper);
  showInWorkspaces(options.extensions, variables);
  return {
    variables,
    variableSets: new VariableSets({ database, clock, organizations, projects, finder, keeper }),
    setVariables: new SetVariables(database, clock, finder, keeper),
    appliedVariables: new AppliedVariables(database, workspaces, finder, keeper),
  };
}

/** The documents of workspaces point at their variables, and bring them along when they are asked to. */
function showInWorkspaces({ documents, includes }: WorkspaceExtensions, variables: Variables): void {
  documents.push(async (workspaces) => {
    const ids = await variables.idsOf(workspaces);
    const parts = [...ids].map(([workspaceId, own]) => {
      const data = own.map((id) => ({ type: 'vars', id }));
      return [workspaceId, { relationships: { vars: { data } } }] as const;
    });
    return new Map(parts);
  });
  includes.set('vars', async (_actor, workspaces) => {
    const byId = new Map(workspaces.map((workspace) => [workspace.id, workspace]));
    const all = await variables.ofWorkspaces(workspaces);
    return { resources: all.map((variable) => variableResource(variable, byId.get(variable.owner.id))) };
  });
}
