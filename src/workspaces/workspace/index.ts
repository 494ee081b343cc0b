import type { Wing } from '../wing.ts';
import { listing } from './migrations/listing.ts';
import { roster } from './migrations/roster.ts';
import { work } from './migrations/work.ts';
import { workspace as workspaceSchema } from './migrations/workspace.ts';
import { WORKSPACE_ANSWERS } from './openapi/answers.ts';
import { WORKSPACE_RESOURCES } from './openapi/resources.ts';
import { sealedSshKeys } from './ssh-key/ssh-keys.ts';

export const workspace: Wing = {
  migrations: [work, workspaceSchema, listing, roster],
  sealedColumns: [sealedSshKeys],
  openApi: { resources: WORKSPACE_RESOURCES, answers: WORKSPACE_ANSWERS },
};
