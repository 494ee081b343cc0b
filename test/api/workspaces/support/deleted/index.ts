import { joined } from '../joined.ts';
import { EXECUTION_LIVES } from './execution.ts';
import { TENANCY_LIVES } from './tenancy.ts';
import { VARIABLES_LIVES } from './variables.ts';
import { VCS_LIVES } from './vcs.ts';
import { WORKSPACE_LIVES } from './workspace.ts';

export type { Life } from './world.ts';

/** Dependents of each resource that can be deleted. The test fails for a new route without an entry. */
export const LIVES = joined(TENANCY_LIVES, WORKSPACE_LIVES, VARIABLES_LIVES, VCS_LIVES, EXECUTION_LIVES);
