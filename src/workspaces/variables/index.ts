import type { Wing } from '../wing.ts';
import { variables as variablesSchema } from './migrations/variables.ts';
import { VARIABLES_ANSWERS } from './openapi/answers.ts';
import { VARIABLES_RESOURCES } from './openapi/resources.ts';
import { sealedVariables } from './variable/keeper.ts';

export const variables: Wing = {
  migrations: [variablesSchema],
  sealedColumns: [sealedVariables],
  openApi: { resources: VARIABLES_RESOURCES, answers: VARIABLES_ANSWERS },
};
