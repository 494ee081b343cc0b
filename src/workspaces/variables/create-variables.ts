import type { Platform } from '../platform/platform.ts';
import type { Tenancy } from '../tenancy/index.ts';
import type { DocumentSource, IncludeSource, WorkspaceServices } from '../workspace/index.ts';
import { VariableKeeper } from './variable/keeper.ts';
import { VariableResource } from './variable/resource.ts';
import { Variables } from './variable/variables.ts';
import { AppliedVariables } from './variable-set/applied-variables.ts';
import { VariableSetFinder } from './variable-set/finder.ts';
import { SetVariables } from './variable-set/set-variables.ts';
import { VariableSets } from './variable-set/variable-sets.ts';

/** Services of variables of workspaces and variable sets. */
export interface VariableServices {
  readonly variables: Variables;
  readonly variableSets: VariableSets;
  readonly setVariables: SetVariables;
  readonly appliedVariables: AppliedVariables;
}

export function createVariables(
  { database, keyring, clock }: Platform,
  { organizations, projects }: Tenancy,
  { finder: workspaces, hooks }: WorkspaceServices,
): VariableServices {
  const keeper = new VariableKeeper(database, keyring, clock);
  const finder = new VariableSetFinder(database, projects, keeper);
  const variables = new Variables(database, workspaces, keeper);
  hooks.extend({ documents: [variableLinks(variables)], includes: { vars: includedVariables(variables) } });
  return {
    variables,
    variableSets: new VariableSets({ database, clock, organizations, projects, finder, keeper }),
    setVariables: new SetVariables(database, clock, finder, keeper),
    appliedVariables: new AppliedVariables(database, workspaces, finder, keeper),
  };
}

/** Adds links to the variables to the documents of workspaces. */
function variableLinks(variables: Variables): DocumentSource {
  const partOf = (ids: readonly string[]) => ({
    relationships: { vars: { data: ids.map((id) => ({ type: 'vars', id })) } },
  });
  return {
    async of(workspaces) {
      const ids = await variables.idsOf(workspaces);
      return new Map([...ids].map(([workspaceId, own]) => [workspaceId, partOf(own)]));
    },
    async prefetch(workspaceId) {
      const idsOf = await variables.idsAhead(workspaceId);
      return async (workspace) => {
        const ids = idsOf(workspace);
        return ids.length === 0 ? undefined : partOf(ids);
      };
    },
  };
}

function includedVariables(variables: Variables): IncludeSource {
  return async (_actor, workspaces) => {
    const byId = new Map(workspaces.map((workspace) => [workspace.id, workspace]));
    const all = await variables.ofWorkspaces(workspaces);
    return { resources: all.map((variable) => VariableResource.document(variable, byId.get(variable.owner.id))) };
  };
}
