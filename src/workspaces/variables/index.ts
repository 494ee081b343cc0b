import type { Module } from '../platform/module.ts';
import { baseline } from './migrations/baseline.ts';
import { sealedVariables } from './variable/keeper.ts';
import { VariableResource } from './variable/resource.ts';
import { VariableSetResource } from './variable-set/resource.ts';

export { createVariables, type VariableServices } from './create-variables.ts';
export { variableRoutes } from './variable-routes.ts';
export type { AppliedVariables } from './variable-set/applied-variables.ts';
export type { OpenVariable } from './variable-set/precedence.ts';

export const variables: Module = {
  migrations: [baseline],
  sealedColumns: [sealedVariables],
  resources: [VariableResource, VariableSetResource],
};
