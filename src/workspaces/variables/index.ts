import type { Module } from '../platform/module.ts';
import { baseline } from './migrations/baseline.ts';
import { VARIABLES_ANSWERS } from './openapi/answers.ts';
import { VARIABLES_RESOURCES } from './openapi/resources.ts';
import { sealedVariables } from './variable/keeper.ts';

export { createVariables, type VariableServices } from './create-variables.ts';
export { variableRoutes } from './variable-routes.ts';
export type { AppliedVariables } from './variable-set/applied-variables.ts';
export type { OpenVariable } from './variable-set/precedence.ts';

export const variables: Module = {
  migrations: [baseline],
  sealedColumns: [sealedVariables],
  openApi: { resources: VARIABLES_RESOURCES, answers: VARIABLES_ANSWERS },
};
