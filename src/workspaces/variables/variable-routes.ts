import type { Api } from '../http/api.ts';
import type { Tenancy } from '../tenancy/index.ts';
import type { WorkspaceServices } from '../workspace/index.ts';
import type { VariableServices } from './create-variables.ts';
import { workspaceVariableRoutes } from './variable/routes.ts';
import { variableSetRoutes } from './variable-set/routes.ts';
import { appliedVariableRoutes, setVariableRoutes } from './variable-set/variable-routes.ts';

export function variableRoutes(
  api: Api,
  { variables, variableSets, setVariables, appliedVariables }: VariableServices,
  { projects }: Tenancy,
  { finder, presenter }: WorkspaceServices,
): void {
  const sources = { projects, finder, presenter, setVariables };
  workspaceVariableRoutes(api, variables);
  variableSetRoutes(api, variableSets, sources);
  setVariableRoutes(api, setVariables);
  appliedVariableRoutes(api, appliedVariables, sources);
}
